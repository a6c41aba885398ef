#include "foreign.h"

FUZZ_PARSER(conf_parse)
