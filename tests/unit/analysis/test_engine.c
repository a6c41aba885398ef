/* What the engine decides for every rule: where it looks, what it lacks, how severe it is. */
#include "test.h"

#include "scene.h"

#define M (1024.0 * 1024)

static enum outcome ask(const struct rule *rule, const struct scene *scene,
			struct finding *finding, struct untold *untold)
{
	return rule_ask(rule, &scene->evidence, &scene->domain, finding, untold);
}

static enum limit_kind first_kind(const struct rule *rule)
{
	return rule->scope & ON_MACHINE ? LIMIT_RAM :
	       rule->scope & ON_HIGH	? LIMIT_HIGH :
					  LIMIT_MAX;
}

/* A scene in which all that the rule needs is known and nothing happens. */
static struct scene *quiet_scene(const struct rule *rule)
{
	struct scene *scene = scene_new(first_kind(rule));

	scene_turn(scene,
		   (const struct turn[]){ { LOSS, 0 }, { LIMIT, 1000 * M }, { NO_KNOB, 0 } });
	for (size_t i = 0; rule->needs[i] != SIGNALS; i++)
		scene_turn(scene, (const struct turn[]){ { (int)(KNOBS + rule->needs[i]), 0 },
							 { NO_KNOB, 0 } });
	return scene;
}

static void nothing_is_found_where_nothing_happens(void **state)
{
	for (size_t i = 0; i < RULE_COUNT; i++) {
		struct finding finding;
		struct untold untold;

		case_of(class_row(RULES[i].class)->name);
		assert_int_equal(ask(&RULES[i], quiet_scene(&RULES[i]), &finding, &untold),
				 RULE_NO);
	}
}

static void a_missing_signal_makes_a_class_unknown_and_is_named(void **state)
{
	for (size_t i = 0; i < RULE_COUNT; i++) {
		const struct rule *rule = &RULES[i];

		for (size_t j = 0; rule->needs[j] != SIGNALS; j++) {
			struct scene *scene = quiet_scene(rule);
			struct finding finding;
			struct untold untold;

			case_of(signal_row(rule->needs[j])->name);
			scene_turn(scene, (const struct turn[]){
						  { (int)(KNOBS + rule->needs[j]), NAN },
						  { NO_KNOB, 0 } });
			assert_int_equal(ask(rule, scene, &finding, &untold), RULE_UNKNOWN);
			assert_int_equal(untold.class, rule->class);
			assert_int_equal(untold.cite.signal, rule->needs[j]);
			assert_int_equal(untold.cite.member, scene->domain.cgroup);
		}
	}
}

static void a_rule_says_no_where_it_does_not_look(void **state)
{
	static const struct {
		enum limit_kind kind;
		enum rule_scope scope;
	} kinds[] = {
		{ LIMIT_RAM, ON_MACHINE },
		{ LIMIT_HIGH, ON_HIGH },
		{ LIMIT_MAX, ON_MAX },
	};

	for (size_t i = 0; i < RULE_COUNT; i++)
		for (size_t j = 0; j < ARRAY_LEN(kinds); j++) {
			struct scene *scene = scene_new(kinds[j].kind);
			struct finding finding;
			struct untold untold;
			bool looks = RULES[i].scope & kinds[j].scope;

			case_of(class_row(RULES[i].class)->name);
			assert_int_equal(ask(&RULES[i], scene, &finding, &untold),
					 looks ? RULE_UNKNOWN : RULE_NO);
		}
}

/* With --cgroup: kernel memory of the whole machine says nothing about that cgroup. */
static void totals_of_the_machine_tell_nothing_about_a_part(void **state)
{
	static const enum verdict_class totals[] = { CLASS_KERNEL_LEAK, CLASS_SHMEM_GROWTH };

	for (size_t i = 0; i < ARRAY_LEN(totals); i++) {
		struct scene *scene = scene_new(LIMIT_RAM);
		struct finding finding;
		struct untold untold;

		assert_int_equal(ask(rule_of(totals[i]), scene, &finding, &untold),
				 RULE_UNKNOWN);
		scene->evidence.is_part = true;
		assert_int_equal(ask(rule_of(totals[i]), scene, &finding, &untold), RULE_NO);
	}
}

static enum outcome ask_for_loss(const struct turn *turns, enum signal *named)
{
	const struct rule *rule = rule_of(CLASS_SWAP_THRASH);
	struct scene *scene = scene_new(LIMIT_MAX);
	struct finding finding;
	struct untold untold;
	enum outcome outcome;

	scene_turn(scene, (const struct turn[]){ { S(REFAULT_FILE), 0 },
						 { S(REFAULT_ANON), 0 },
						 { S(EV_HIGH), 0 },
						 { NO_KNOB, 0 } });
	scene_turn(scene, turns);
	outcome = ask(rule, scene, &finding, &untold);
	*named = untold.cite.signal;
	return outcome;
}

#define ASK(...) ask_for_loss((const struct turn[]){ __VA_ARGS__, { NO_KNOB, 0 } }, &named)

static void an_unknown_loss_matters_only_where_something_happens(void **state)
{
	enum signal named;

	assert_int_equal(ASK({ LOSS, NAN }), RULE_NO);
	assert_int_equal(ASK({ S(EV_HIGH), NAN }), RULE_NO);
	assert_int_equal(ASK({ S(REFAULT_ANON), 0.99 * M }), RULE_NO);
	assert_int_equal(ASK({ S(REFAULT_ANON), 1 * M }), RULE_UNKNOWN);
	assert_int_equal(named, SIG_MEM_SOME);
	assert_int_equal(ASK({ S(REFAULT_FILE), 0.99 * M }), RULE_NO);
	assert_int_equal(ASK({ S(REFAULT_FILE), 1 * M }), RULE_UNKNOWN);
	assert_int_equal(ASK({ S(REFAULT_FILE), NAN }), RULE_UNKNOWN);
	assert_int_equal(ASK({ S(EV_HIGH), 0.2 }), RULE_UNKNOWN);
	assert_int_equal(ASK({ S(EV_HIGH), 0.2 }, { LOSS, 0 }), RULE_NO);
}

static void growth_without_time_is_unknown(void **state)
{
	const struct rule *rule = rule_of(CLASS_ANON_GROWTH);
	struct scene *scene = quiet_scene(rule);
	struct finding finding;
	struct untold untold;

	scene_turn(scene, (const struct turn[]){ { SECONDS, NAN }, { NO_KNOB, 0 } });
	assert_int_equal(ask(rule, scene, &finding, &untold), RULE_UNKNOWN);
	assert_int_equal(untold.cite.signal, SIG_GROWN);
	rule = rule_of(CLASS_LOCKED); /* a level needs no time */
	scene = quiet_scene(rule);
	scene_turn(scene, (const struct turn[]){ { SECONDS, NAN }, { NO_KNOB, 0 } });
	assert_int_equal(ask(rule, scene, &finding, &untold), RULE_NO);
}

static enum severity severity_with(enum verdict_class class, const struct turn *base,
				   double loss)
{
	struct scene *scene = scene_new(LIMIT_RAM);
	struct finding finding;
	struct untold untold;

	scene_turn(scene, base);
	scene_turn(scene, (const struct turn[]){ { LOSS, loss }, { NO_KNOB, 0 } });
	assert_int_equal(ask(rule_of(class), scene, &finding, &untold), RULE_HIT);
	return finding.severity;
}

static const struct turn LOCKED[] = { { LIMIT, 1000 },
				      { S(UNEVICTABLE), 600 },
				      { NO_KNOB, 0 } };

static void harm_in_a_domain_that_is_short_raises_a_remark(void **state)
{
	static const struct turn locked_and_short[] = {
		{ LIMIT, 1000 }, { S(UNEVICTABLE), 600 }, { S(FREE), 1 },
		{ S(LOW), 2 },	 { NO_KNOB, 0 },
	};
	static const struct turn zram[] = {
		{ S(ZRAM_USED), 1 }, { S(ZRAM_FILL), 1 }, { S(FREE), 1 },
		{ S(LOW), 2 },	     { NO_KNOB, 0 },
	};

	assert_int_equal(severity_with(CLASS_LOCKED, locked_and_short, 0.09), SEV_NOTE);
	assert_int_equal(severity_with(CLASS_LOCKED, locked_and_short, 0.10), SEV_HARM);
	assert_int_equal(severity_with(CLASS_LOCKED, locked_and_short, NAN), SEV_NOTE);
	assert_int_equal(severity_with(CLASS_LOCKED, LOCKED, 0.90), SEV_NOTE);
	assert_int_equal(severity_with(CLASS_ZRAM_FULL, zram, 0.09), SEV_WARN);
	assert_int_equal(severity_with(CLASS_ZRAM_FULL, zram, 0.10), SEV_HARM);
}

/* The one that grows may wait for the swap device; what it waits for is its own doing. */
static void growth_and_cold_swap_stay_a_remark(void **state)
{
	static const struct turn growth[] = {
		{ S(ANON), 1 },		  { GROWTH, 1 * M },	{ GROWTH_RECENT, 1 * M },
		{ GROWTH_LEVEL, 50 * M }, { GROWTH_RISING, 1 }, { S(AVAILABLE), 1 },
		{ NO_KNOB, 0 },
	};
	static const struct turn swap[] = { { S(SWAP_OUT), 1 * M },
					    { S(SWAP_IN), 0 },
					    { NO_KNOB, 0 } };

	assert_int_equal(severity_with(CLASS_ANON_GROWTH, growth, 0.9), SEV_NOTE);
	assert_int_equal(severity_with(CLASS_COLD_SWAP, swap, 0.9), SEV_NOTE);
}

static void what_is_not_memorys_fault_stays_an_information(void **state)
{
	static const struct turn dirty[] = {
		{ S(DIRTY), 1 }, { S(DIRTY_LIMIT), 1 }, { S(IO_SOME), 1 }, { NO_KNOB, 0 }
	};

	assert_int_equal(severity_with(CLASS_DIRTY_THROTTLE, dirty, 0.9), SEV_INFO);
}

static void a_finding_cites_its_evidence_in_its_domain(void **state)
{
	const struct rule *rule = rule_of(CLASS_LOCKED);
	struct scene *scene = scene_new(LIMIT_MAX);
	struct finding finding;
	struct untold untold;

	scene_turn(scene, LOCKED);
	assert_int_equal(ask(rule, scene, &finding, &untold), RULE_HIT);
	assert_int_equal(finding.class, CLASS_LOCKED);
	assert_ptr_equal(finding.domain, &scene->domain);
	assert_true(finding.cites > 0);
	for (size_t i = 0; i < finding.cites; i++) {
		assert_int_equal(finding.cite[i].signal, rule->cites[i]);
		assert_int_equal(finding.cite[i].member, SCENE_APP);
	}
	assert_int_equal(rule->cites[finding.cites], SIGNALS);
}

static void a_finding_is_left_alone_when_there_is_none(void **state)
{
	const struct rule *rule = rule_of(CLASS_LOCKED);
	struct finding finding = { .class = CLASS_NUMA, .cites = 5 };
	struct untold untold;

	assert_int_equal(ask(rule, quiet_scene(rule), &finding, &untold), RULE_NO);
	assert_int_equal(finding.class, CLASS_NUMA);
	assert_int_equal(finding.cites, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_found_where_nothing_happens),
		cmocka_unit_test(a_missing_signal_makes_a_class_unknown_and_is_named),
		cmocka_unit_test(a_rule_says_no_where_it_does_not_look),
		cmocka_unit_test(totals_of_the_machine_tell_nothing_about_a_part),
		cmocka_unit_test(an_unknown_loss_matters_only_where_something_happens),
		cmocka_unit_test(growth_without_time_is_unknown),
		cmocka_unit_test(harm_in_a_domain_that_is_short_raises_a_remark),
		cmocka_unit_test(growth_and_cold_swap_stay_a_remark),
		cmocka_unit_test(what_is_not_memorys_fault_stays_an_information),
		cmocka_unit_test(a_finding_cites_its_evidence_in_its_domain),
		cmocka_unit_test(a_finding_is_left_alone_when_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
