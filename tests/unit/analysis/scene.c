#include "test.h"

#include "scene.h"

static void signals_unknown(struct signals *signals)
{
	for (enum signal i = 0; i < SIGNALS; i++) {
		signals->value[i] = (double)NAN;
		signals->why[i] = WHY_ABSENT;
	}
}

static const char *const PATHS[] = { "app", "app/service", "app/worker", "other" };

static void make_cgroups(struct scene *scene)
{
	for (int32_t i = 0; i < SCENE_MEMBERS; i++) {
		scene->cgroups[i] = (struct cgroup){
			.id = (uint64_t)i + 1,
			.path = PATHS[i],
			.parent = i == SCENE_SERVICE || i == SCENE_WORKER ? SCENE_APP : -1,
		};
		scene->members[i] = (struct member){
			.loss = { .lower = (double)NAN, .upper = (double)NAN },
			.growth = {
				.rate = (double)NAN,
				.long_rate = (double)NAN,
				.recent = (double)NAN,
				.level = (double)NAN,
			},
			.leaf = i != SCENE_APP,
		};
		signals_unknown(&scene->members[i].signals);
	}
}

struct scene *scene_new(enum limit_kind kind)
{
	static struct scene scene;
	int32_t cgroup = kind == LIMIT_RAM ? -1 : SCENE_APP;

	scene = (struct scene){
		.zones = { .nodes = 2, .zones = 2 },
		.window.frames = 5,
		.evidence = {
			.pair.seconds = 5,
			.member_count = SCENE_MEMBERS,
			.domains = 1,
			.kernel_rate = (double)NAN,
			.shmem_rate = (double)NAN,
			.grown_rate = (double)NAN,
		},
		.domain = {
			.kind = kind,
			.cgroup = cgroup,
			.limit = (double)NAN,
			.sufferer = SCENE_SERVICE,
			.bystander = SCENE_SERVICE,
			.culprit = SCENE_WORKER,
			.loss = (double)NAN,
			.bystander_loss = (double)NAN,
		},
	};
	make_cgroups(&scene);
	scene.zones.zone[1].node = scene.zones.node[1].id = 1;
	signals_unknown(&scene.evidence.machine);
	scene.snapshot.host.page_bytes = 4096;
	scene.snapshot.zones = &scene.zones;
	scene.snapshot.cgroups = scene.cgroups;
	scene.snapshot.cgroup_count = SCENE_MEMBERS;
	scene.evidence.window = &scene.window;
	scene.evidence.pair.now = &scene.snapshot;
	scene.evidence.members = scene.members;
	scene.evidence.domain = &scene.domain;
	scene.domain.signals =
		cgroup < 0 ? &scene.evidence.machine : &scene.members[cgroup].signals;
	return &scene;
}

static void turn_signal(struct signals *signals, int signal, double value)
{
	signals->value[signal] = value;
	signals->why[signal] = (uint8_t)(isnan(value) ? WHY_ABSENT : WHY_KNOWN);
}

static void turn_zone(struct zone *zone, enum zone_field field, double mib)
{
	zone->value[field] = (uint64_t)(mib * 256);
	zone->state[field] = OK;
}

static void collapse(struct member *member, double loss)
{
	member->loss.collapsed = true;
	member->loss.lower = member->loss.upper = loss;
}

static void turn_member(struct scene *scene, enum knob knob, double value)
{
	struct growth *growth = &scene->members[SCENE_WORKER].growth;

	if (knob == GROWTH)
		growth->rate = value;
	else if (knob == GROWTH_RECENT)
		growth->recent = value;
	else if (knob == GROWTH_LONG)
		growth->long_rate = value;
	else if (knob == GROWTH_LEVEL)
		growth->level = value;
	else if (knob == GROWTH_RISING)
		growth->rising = value;
	else if (knob == BELOW_PEAK)
		growth->below_peak = value > 0;
	else if (knob == COLLAPSED)
		scene->members[SCENE_SERVICE].loss.collapsed = value > 0;
	else
		collapse(&scene->members[SCENE_OUTSIDE], value);
}

static void turn_evidence(struct scene *scene, enum knob knob, double value)
{
	struct evidence *evidence = &scene->evidence;

	if (knob == UNDERCOUNTED)
		scene->snapshot.profile.refaults_undercounted = value > 0;
	else if (knob == UNDERSTATED)
		scene->snapshot.profile.refaults_understate_reads = value > 0;
	else if (knob == FRAMES)
		scene->window.frames = (size_t)value;
	else if (knob == SECONDS)
		evidence->pair.seconds = value;
	else if (knob == KERNEL_RATE)
		evidence->kernel_rate = value;
	else if (knob == SHMEM_RATE)
		evidence->shmem_rate = value;
	else
		evidence->grown_rate = value;
}

static void turn_domain(struct scene *scene, enum knob knob, double value)
{
	struct domain *domain = &scene->domain;
	struct loss *loss = &scene->members[SCENE_SERVICE].loss;

	if (knob == LOSS)
		domain->loss = loss->lower = loss->upper = value;
	else if (knob == LOSS_UPPER)
		loss->upper = value;
	else if (knob == BYSTANDER_LOSS)
		domain->bystander_loss = value;
	else if (knob == LIMIT)
		domain->limit = value;
	else if (knob == SUFFERER)
		domain->sufferer = (int32_t)value;
	else
		domain->culprit = (int32_t)value;
}

static void turn_one(struct scene *scene, int knob, double value)
{
	static const enum zone_field fields[] = { ZONE_FREE, ZONE_LOW, ZONE_HIGH };

	if (knob >= SERVICE(REFAULT_FILE))
		turn_signal(&scene->members[SCENE_SERVICE].signals,
			    knob - SERVICE(REFAULT_FILE), value);
	else if (knob >= MACHINE(REFAULT_FILE))
		turn_signal(&scene->evidence.machine, knob - MACHINE(REFAULT_FILE), value);
	else if (knob >= KNOBS && scene->domain.cgroup < 0)
		turn_signal(&scene->evidence.machine, knob - KNOBS, value);
	else if (knob >= KNOBS)
		turn_signal(&scene->members[SCENE_APP].signals, knob - KNOBS, value);
	else if (knob >= NODE0_FREE)
		turn_zone(&scene->zones.zone[(knob - NODE0_FREE) / 3],
			  fields[(knob - NODE0_FREE) % 3], value);
	else if (knob >= UNDERCOUNTED)
		turn_evidence(scene, (enum knob)knob, value);
	else if (knob >= GROWTH)
		turn_member(scene, (enum knob)knob, value);
	else
		turn_domain(scene, (enum knob)knob, value);
}

void scene_turn(struct scene *scene, const struct turn *turns)
{
	for (; turns->knob != NO_KNOB; turns++)
		turn_one(scene, turns->knob, turns->value);
}

const struct rule *rule_of(enum verdict_class class)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		if (RULES[i].class == class)
			return &RULES[i];
	fail_msg("%s has no rule", class_row(class)->name);
	return NULL;
}

static enum outcome outcome_of(enum verdict_class class, const struct scene *scene)
{
	struct finding finding;
	struct untold untold;

	return rule_ask(rule_of(class), &scene->evidence, &scene->domain, &finding, &untold);
}

void rule_check(enum verdict_class class, enum limit_kind kind, const struct turn *base,
		const struct rule_case *cases, size_t count)
{
	static const char *const names[] = { "no", "hit", "unknown" };
	struct scene *scene = scene_new(kind);
	size_t bad = 0;

	scene_turn(scene, base);
	assert_int_equal(outcome_of(class, scene), RULE_HIT);
	for (size_t i = 0; i < count; i++) {
		enum outcome outcome;

		scene = scene_new(kind);
		scene_turn(scene, base);
		scene_turn(scene, cases[i].turns);
		outcome = outcome_of(class, scene);
		if (outcome == cases[i].outcome)
			continue;
		print_error("%s when %s: %s instead of %s\n", class_row(class)->name,
			    cases[i].when, names[outcome], names[cases[i].outcome]);
		bad++;
	}
	assert_int_equal(bad, 0);
}
