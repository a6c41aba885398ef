#include "audit/guards_look.h"

#include "audit/kube.h"
#include "base/units.h"

static bool has_pressure(const struct facts *facts)
{
	return facts->snapshot->state[PSI_MEM_FULL_AVG10] == OK;
}

/* What both oomds need of the kernel; NULL when it is there. */
static const char *lacks_kernel(const struct facts *facts)
{
	if (!has_pressure(facts))
		return "the kernel gives no pressure (/proc/pressure)";
	if (facts->snapshot->mounts.mode != CGROUPS_V2)
		return "memory is not on cgroup v2";
	return NULL;
}

static uint64_t swap_total(const struct facts *facts)
{
	const struct snapshot *now = facts->snapshot;

	return now->state[MI_SWAP_TOTAL] == OK ? now->value[MI_SWAP_TOTAL] : 0;
}

static const char *percent(struct facts *facts, uint64_t centi)
{
	char buffer[32];
	struct text text = text_on(buffer, sizeof(buffer));

	text_share(&text, (double)centi / 10000);
	return facts_format(facts, "%s", buffer);
}

static const char *seconds(struct facts *facts, uint64_t us)
{
	char buffer[32];
	struct text text = text_on(buffer, sizeof(buffer));

	text_time(&text, (double)us / SECOND_US);
	return facts_format(facts, "%s", buffer);
}

/* Units that may be watched: slices, users' managers, and what is large. */
static bool is_candidate(const struct facts *facts, const struct cgroup *cgroup)
{
	const char *slash = strrchr(cgroup->path, '/');
	const char *name = slash ? slash + 1 : cgroup->path;
	const char *type = strrchr(name, '.');

	if (type && strcmp(type, ".slice") == 0)
		return true;
	return strncmp(name, "user@", 5) == 0 ||
	       (cgroup->state[CG_CURRENT] == OK && type &&
		cgroup->value[CG_CURRENT] > facts_ram(facts) / 20);
}

/* All that is watched somewhere, in one sentence. */
struct watched {
	struct text pressure;
	struct text swap;
	const char *rules; /* a unit with rules of its own */
	const struct config_row *row;
};

static void add_name(struct text *text, const char *name)
{
	if (!name || strstr(text->at, name) || text->used > 200)
		return;
	if (text->used)
		text_add(text, ", ");
	text_name(text, span_cstr(name));
}

static void watch(struct facts *facts, const struct oomd_settings *settings, const char *path,
		  struct watched *watched)
{
	struct oomd_reach reach;

	oomd_reach_read(facts, settings, path, &reach);
	if (reach.pressure_of && watched->pressure.used < 200) {
		const char *name = facts_format(facts, "%s above %s for %s", reach.pressure_of,
						percent(facts, reach.pressure_centi),
						seconds(facts, reach.duration_us));

		add_name(&watched->pressure, name);
	}
	add_name(&watched->swap, reach.swap_of);
	if (reach.rules_of)
		watched->rules = reach.rules_of;
	if (!watched->row)
		watched->row = reach.row;
}

static void watch_all(struct facts *facts, const struct oomd_settings *settings,
		      struct watched *watched)
{
	const struct snapshot *now = facts->snapshot;

	watch(facts, settings, "", watched);
	for (size_t i = 0; i < now->cgroup_count; i++)
		if (now->cgroups[i].hierarchy == HIERARCHY_V2 &&
		    is_candidate(facts, &now->cgroups[i]))
			watch(facts, settings, now->cgroups[i].path, watched);
}

static void of_systemd(struct facts *facts, struct guard_found *found)
{
	char names[2][512];
	struct watched watched = { .pressure = text_on(names[0], sizeof(names[0])),
				   .swap = text_on(names[1], sizeof(names[1])) };
	struct oomd_settings settings;
	bool by_swap;

	oomd_settings_read(facts, &settings);
	watch_all(facts, &settings, &watched);
	by_swap = watched.swap.used && swap_total(facts) > 0;
	found->row = watched.row;
	found->at = facts_format(
		facts, "%s%s%s%s%s", watched.pressure.used ? "memory pressure of " : "",
		names[0], watched.pressure.used && watched.swap.used ? "; " : "",
		watched.swap.used ? facts_format(facts, "memory and swap %s full, within ",
						 percent(facts, settings.swap_centi)) :
				    "",
		names[1]);
	found->because = lacks_kernel(facts);
	if (watched.rules && !watched.pressure.used && !watched.swap.used)
		found->at = facts_format(facts, "the rules of %s (OOMRules=)", watched.rules);
	else if (!found->because && !watched.pressure.used && !watched.swap.used)
		found->because = "no unit asks for it (ManagedOOM…=kill)";
	else if (!found->because && !watched.pressure.used && !by_swap)
		found->because = "it is asked to look at swap only, and there is none";
	found->acts = !found->because;
}

static void of_earlyoom(struct facts *facts, struct guard_found *found)
{
	struct earlyoom earlyoom;
	const char *swap = "";

	earlyoom_read(facts, found->pid, &earlyoom);
	found->row = earlyoom.row;
	if (swap_total(facts) && earlyoom.swap_centi < 10000)
		swap = facts_format(facts, ", and free swap below %s",
				    percent(facts, earlyoom.swap_centi));
	found->at = facts_format(facts, "available memory below %s%s",
				 percent(facts, earlyoom.memory_centi), swap);
	if (earlyoom.dry_run)
		found->because = "it was started with --dryrun";
	else if (earlyoom.memory_centi == 0)
		found->because = "its threshold is nothing";
	found->acts = !found->because;
}

static void of_oomd(struct facts *facts, struct guard_found *found)
{
	found->at = "what its rules say (/etc/oomd.json)";
	found->because = lacks_kernel(facts);
	found->acts = !found->because;
}

static void of_nohang(struct facts *facts, struct guard_found *found)
{
	struct config config = { 0 };
	struct span text;

	if (config_text(&facts->reader, "etc/nohang/nohang.conf", &config, &text) == 0 &&
	    conf_parse(&facts->reader, "etc/nohang/nohang.conf", text, &config) == 0)
		found->row = config_find(&config, "", "soft_threshold_min_mem");
	found->at = facts_format(facts, "available memory below %s, and little free swap",
				 found->row ? found->row->value : "8 %");
	found->acts = true;
}

static void of_refault(struct facts *facts, struct guard_found *found)
{
	struct config config = { 0 };

	if (conf_read(&facts->reader, "refault/guard.conf", &config) == 0)
		found->row = config_find(&config, "guard", "mode");
	found->at = "half of a service's time lost for 1 s, or memory gone within 1 s";
	if (!found->row || strcmp(found->row->value, "act") != 0)
		found->because = "it observes only (mode = observe)";
	else if (facts->in_container)
		found->because = "in a container it observes only";
	found->acts = !found->because;
}

static void of_kubelet(struct facts *facts, struct guard_found *found)
{
	struct kube kube;
	struct eviction eviction;
	char buffer[32];
	struct text text = text_on(buffer, sizeof(buffer));

	kube_read(facts, &kube);
	eviction = kube_eviction(facts, &kube);
	found->row = eviction.row;
	text_bytes(&text, (double)eviction.bytes);
	found->at = facts_format(facts, "memory.available of the node below %s", buffer);
	if (eviction.state == OK && eviction.bytes == 0)
		found->because = "its threshold of memory is nothing";
	found->acts = !found->because;
}

void (*const GUARD_LOOK[GUARD_KINDS])(struct facts *, struct guard_found *) = {
	[GUARD_SYSTEMD_OOMD] = of_systemd,
	[GUARD_EARLYOOM] = of_earlyoom,
	[GUARD_OOMD] = of_oomd,
	[GUARD_NOHANG] = of_nohang,
	[GUARD_REFAULT] = of_refault,
	[GUARD_KUBELET] = of_kubelet,
};
