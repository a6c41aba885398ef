#include "audit/killers.h"

/* Settings of the whole machine that vendors have a position on. */
enum topic {
	TOPIC_OVERCOMMIT,
	TOPIC_THP,
	TOPIC_SWAP,
	TOPICS,
};

#define OVERCOMMIT_0 1u
#define OVERCOMMIT_1 2u
#define OVERCOMMIT_2 4u
#define THP_NEVER 1u
#define THP_MADVISE 2u
#define THP_ALWAYS 4u
#define SWAP_OFF 1u
#define SWAP_ON 2u

static const struct {
	const char *name;
	const char *value[3]; /* of each bit */
	const char *remedy;
} TOPIC[TOPICS] = {
	[TOPIC_OVERCOMMIT] = { "vm.overcommit_memory",
			       { "0", "1", "2" },
			       "keep vm.overcommit_memory = 0 and bound each service by "
			       "MemoryMax= of its unit, or put the two on separate machines" },
	[TOPIC_THP] = { "transparent_hugepage/enabled",
			{ "never", "madvise", "always" },
			"set madvise for the machine; per service MemoryTHP= of its unit "
			"(systemd 260), or its own option (disable-thp of Valkey)" },
	[TOPIC_SWAP] = { "swap",
			 { "off", "on" },
			 "keep swap, and set MemorySwapMax=0 in the unit that wants none, or "
			 "its "
			 "bootstrap.memory_lock with LimitMEMLOCK=infinity" },
};

/* A version of 0 in from and below is any; a range needs a version that is known. */
struct position {
	enum role role;
	enum topic topic;
	unsigned int allowed; /* bits */
	unsigned int from;
	unsigned int below;
	const char *source;
};

static const struct position POSITIONS[] = {
	{ ROLE_POSTGRES, TOPIC_OVERCOMMIT, OVERCOMMIT_2, 0, 0,
	  "PostgreSQL 17, Managing Kernel Resources" },
	{ ROLE_REDIS, TOPIC_OVERCOMMIT, OVERCOMMIT_1, 0, 0, "Redis administration" },
	{ ROLE_MONGODB, TOPIC_OVERCOMMIT, OVERCOMMIT_1, 8, 0, "MongoDB 8.0, Production Notes" },
	{ ROLE_KUBELET, TOPIC_OVERCOMMIT, OVERCOMMIT_1, 0, 0, "kubelet, setupKernelTunables" },
	{ ROLE_CLICKHOUSE, TOPIC_OVERCOMMIT, OVERCOMMIT_0 | OVERCOMMIT_1, 0, 0,
	  "ClickHouse, Usage Recommendations" },
	{ ROLE_POSTGRES, TOPIC_THP, THP_NEVER | THP_MADVISE, 0, 0,
	  "PostgreSQL 17, Managing Kernel Resources" },
	{ ROLE_REDIS, TOPIC_THP, THP_NEVER | THP_MADVISE, 0, 0, "Redis, syscheck.c" },
	{ ROLE_MONGODB, TOPIC_THP, THP_ALWAYS, 8, 0, "MongoDB 8.0, Production Notes" },
	{ ROLE_MONGODB, TOPIC_THP, THP_NEVER, 0, 8, "MongoDB 7.0, Production Notes" },
	{ ROLE_SCYLLA, TOPIC_THP, THP_MADVISE | THP_ALWAYS, 0, 0, "ScyllaDB, scylla_setup" },
	{ ROLE_ELASTICSEARCH, TOPIC_SWAP, SWAP_OFF, 0, 0, "Elasticsearch, Disable swapping" },
	{ ROLE_CASSANDRA, TOPIC_SWAP, SWAP_OFF, 0, 0, "Cassandra, StartupChecks" },
	{ ROLE_POSTGRES, TOPIC_SWAP, SWAP_ON, 0, 0,
	  "PostgreSQL 17, Managing Kernel Resources" },
	{ ROLE_REDIS, TOPIC_SWAP, SWAP_ON, 0, 0, "Redis administration" },
	{ ROLE_SCYLLA, TOPIC_SWAP, SWAP_ON, 0, 0, "ScyllaDB, scylla_swap_setup" },
};

static bool is_ranged(const struct position *position)
{
	return position->from || position->below;
}

/* A program whose version is not told has no position where that depends on it. */
static bool applies(const struct role_found *found, const struct position *position)
{
	if (!is_ranged(position))
		return true;
	return found->major && found->major >= position->from &&
	       (position->below == 0 || found->major < position->below);
}

static const char *values_of(struct audit *audit, enum topic topic, unsigned int allowed)
{
	const char *text = "";

	for (size_t i = 0; i < ARRAY_LEN(TOPIC[topic].value); i++)
		if (allowed & (1u << i))
			text = facts_format(audit->facts, "%s%s%s", text, *text ? " or " : "",
					    TOPIC[topic].value[i]);
	return text;
}

static const char *who(struct audit *audit, const struct role_found *found)
{
	if (found->major)
		return facts_format(audit->facts, "%s %u", role_name(found->role),
				    found->major);
	return role_name(found->role);
}

static void say(struct audit *audit, enum topic topic)
{
	const struct roles *roles = facts_roles(audit->facts);
	struct result *result =
		audit_note(audit, TOPIC[topic].name,
			   "what runs here wants %s set in ways that exclude one another",
			   TOPIC[topic].name);

	for (size_t i = 0; i < ARRAY_LEN(POSITIONS); i++) {
		const struct role_found *found = role_of(roles, POSITIONS[i].role);

		if (found && POSITIONS[i].topic == topic && applies(found, &POSITIONS[i]))
			result_cite(audit, result, who(audit, found), POSITIONS[i].source, "%s",
				    values_of(audit, topic, POSITIONS[i].allowed));
	}
	result_fix(result,
		   (struct fix_step){ .kind = FIX_PRINT, .value = TOPIC[topic].remedy });
}

static void look_at(struct audit *audit, enum topic topic)
{
	const struct roles *roles = facts_roles(audit->facts);
	const struct role_found *vague = NULL;
	unsigned int allowed = ~0u;
	size_t positions = 0;

	for (size_t i = 0; i < ARRAY_LEN(POSITIONS); i++) {
		const struct role_found *found = role_of(roles, POSITIONS[i].role);

		if (!found || POSITIONS[i].topic != topic)
			continue;
		if (is_ranged(&POSITIONS[i]) && found->major == 0)
			vague = found;
		if (!applies(found, &POSITIONS[i]))
			continue;
		allowed &= POSITIONS[i].allowed;
		positions++;
	}
	if (positions && allowed == 0)
		say(audit, topic);
	else if (positions && vague)
		audit_unknown(
			audit, TOPIC[topic].name,
			facts_format(audit->facts, "the version of %s", role_name(vague->role)),
			"the position of %s on %s depends on its version, which its path "
			"does not tell",
			role_name(vague->role), TOPIC[topic].name);
}

void roles_disagree(struct audit *audit)
{
	const struct snapshot *now = audit->facts->snapshot;

	if (facts_roles(audit->facts)->count == 0) {
		if (now->tasks_state == OK && now->task_count)
			audit_skip(audit, "nothing that vendors have a position on runs here");
		else
			audit_unknown(audit, "", "the list of processes, or --role",
				      "what runs here is not known");
		return;
	}
	for (size_t topic = 0; topic < TOPICS; topic++)
		look_at(audit, (enum topic)topic);
}
