#pragma once
/*
 * Functions that must not be used in this program, each for a reason: no bounds (strcpy,
 * sprintf), silent overflow (atoi, strtol), hidden state (strtok, localtime). Included by
 * macro.h after the system's headers; a use ends the build with the function's name.
 */
#define BANNED(name) banned_function_##name

#undef strcpy
#define strcpy(...) BANNED(strcpy)
#undef strcat
#define strcat(...) BANNED(strcat)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf)
#undef strtok
#define strtok(...) BANNED(strtok)
#undef strtol
#define strtol(...) BANNED(strtol)
#undef strtoul
#define strtoul(...) BANNED(strtoul)
#undef strtoull
#define strtoull(...) BANNED(strtoull)
#undef atoi
#define atoi(...) BANNED(atoi)
#undef atol
#define atol(...) BANNED(atol)
#undef atof
#define atof(...) BANNED(atof)
#undef sscanf
#define sscanf(...) BANNED(sscanf)
#undef localtime
#define localtime(...) BANNED(localtime)
#undef gmtime
#define gmtime(...) BANNED(gmtime)
#undef ctime
#define ctime(...) BANNED(ctime)
