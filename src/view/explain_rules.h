#pragma once
/*
 * What a rule of refault check means: from its row.
 */
#include <stdio.h>

#include "base/macro.h"

/* All of a rule; false when there is none of that name. */
bool explain_rule(FILE *file, const char *id);

/* "SWAP-001", tab, "rule"; one line each. */
void explain_rules_list(FILE *file);

/* refault-rules(7) in scdoc's form. */
void explain_rules_manual(FILE *file);

/* Text for scdoc, which reads underscores and asterisks as emphasis. */
void explain_plain(FILE *file, const char *text);
