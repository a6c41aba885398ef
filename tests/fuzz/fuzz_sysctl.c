#include "config/sysctl.h"
#include "foreign.h"

FUZZ_PARSER(sysctl_parse)
