#include "config/tmpfiles.h"
#include "foreign.h"

FUZZ_PARSER(tmpfiles_parse)
