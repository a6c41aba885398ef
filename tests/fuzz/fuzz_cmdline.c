#include "config/cmdline.h"
#include "foreign.h"

FUZZ_PARSER(cmdline_parse)
