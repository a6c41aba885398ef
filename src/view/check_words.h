#pragma once
/*
 * Words for parts of an audit that several formats share. All foreign text is escaped here.
 */
#include "base/text.h"
#include "view/check.h"

/* "/etc/x:3" for a file, the words themselves for what is none. */
void check_where(struct text *text, const char *where);

/* "etc/sysctl.d/90-refault.conf: vm.swappiness = 10" */
void check_step(struct text *text, const struct fix_step *step);

/* "the machine" where the subject is empty. */
void check_subject(struct text *text, const struct result *result);

/* How many findings there are at or above a level, and the worst of them; NULL for none. */
size_t check_findings(const struct check_view *view, enum level least,
		      const struct result **worst);

/* The day up to which the sources of the rules were read last: the youngest of them. */
const char *check_rules_date(void);

void check_json(FILE *file, const struct check_view *view);
void check_sarif(FILE *file, const struct check_view *view);
void check_junit(FILE *file, const struct check_view *view);
void check_prom(FILE *file, const struct check_view *view);
void check_nagios(FILE *file, const struct check_view *view);
void check_npd(FILE *file, const struct check_view *view);
void check_text(FILE *file, const struct check_view *view);
