#include "audit/knob.h"

#include "audit/origin.h"

bool knob_is_ours(struct audit *audit)
{
	if (!audit->facts->in_container)
		return true;
	audit_skip(audit,
		   "this is a container: the setting is the host's, run refault check there");
	return false;
}

/* "vm.swappiness" is how people know it. */
static const char *name_of(struct facts *facts, const char *path)
{
	char name[256];

	if (strncmp(path, "proc/sys/", 9) != 0)
		return path;
	snprintf(name, sizeof(name), "%s", path + 9);
	for (char *at = name; *at; at++)
		if (*at == '/')
			*at = '.';
	return facts_format(facts, "%s", name);
}

void knob_cite(struct audit *audit, struct result *result, const char *path)
{
	struct origin origin = origin_of(audit->facts, path);
	struct fact running = fact_choice(audit->facts, path);

	result_cite_fact(result, name_of(audit->facts, path), &running);
	if (origin.row)
		result_cite(audit, result, "set at boot by",
			    origin_where(audit->facts, &origin), "%s", origin.row->value);
}

void knob_fix(struct audit *audit, struct result *result, const char *path, const char *value,
	      const char *computed)
{
	bool is_sysctl = strncmp(path, "proc/sys/", 9) == 0;
	struct fact running = fact_choice(audit->facts, path);

	result_fix(result, (struct fix_step){
				   .kind = is_sysctl ? FIX_SYSCTL : FIX_TMPFILES,
				   .key = is_sysctl ? path + 9 : path,
				   .value = value,
				   .now = path,
				   .previous = running.state == OK ? running.text : NULL,
				   .computed = computed,
			   });
}

const char *knob_database(struct facts *facts)
{
	static const enum role databases[] = { ROLE_POSTGRES,	   ROLE_MYSQL,
					       ROLE_MONGODB,	   ROLE_REDIS,
					       ROLE_ELASTICSEARCH, ROLE_CASSANDRA,
					       ROLE_SCYLLA,	   ROLE_CLICKHOUSE };

	for (size_t i = 0; i < ARRAY_LEN(databases); i++)
		if (role_of(facts_roles(facts), databases[i]))
			return role_name(databases[i]);
	return NULL;
}
