#include "test.h"

#include <errno.h>

#include "lab/scenario/set.h"

/* A scenario that is right, in two parts: what is wrong is put between or behind them. */
#define HEAD               \
	"[scenario]\n"     \
	"title = A test\n" \
	"[group api]\n"    \
	"path = system.slice/api.service\n"
#define TAIL                \
	"[load api]\n"      \
	"kind = service\n"  \
	"group = api\n"     \
	"[phase measure]\n" \
	"start = api\n"     \
	"wait = 6s\n"

static const struct scenario_choice NONE = { 0 };

static const char *error_with(const char *text, const struct scenario_choice *choice)
{
	static struct lab_error error;
	struct scenario_set set = { 0 };
	int r = scenario_set_parse(span_cstr(text), "x.ini", choice, &set, &error);

	if (r == 0)
		scenario_set_done(&set);
	assert_int_equal(r, -EINVAL);
	print_message("%s\n", error.text);
	return error.text;
}

struct mistake {
	const char *text;
	const char *place;    /* how the sentence begins */
	const char *expected; /* and what is in it */
};

static void expect(const struct mistake *mistakes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *said;

		case_of(mistakes[i].text);
		said = error_with(mistakes[i].text, &NONE);
		assert_true(span_starts(span_cstr(said), mistakes[i].place));
		assert_non_null(memmem(said, strlen(said), mistakes[i].expected,
				       strlen(mistakes[i].expected)));
	}
}

static void a_line_that_is_no_ini_is_said_with_its_number(void **state)
{
	static const struct mistake mistakes[] = {
		{ "", "x.ini: ", "[scenario]" },
		{ "a = 1\n", "x.ini:1: a: ", "[SECTION]" },
		{ HEAD "what is this\n", "x.ini:5: 'what is this'", "KEY = VALUE" },
		{ HEAD "two words = 1\n", "x.ini:5: ", "one word" },
		{ HEAD " = 1\n", "x.ini:5: ", "KEY = VALUE" },
		{ HEAD "= 1\n", "x.ini:5: ", "one word" },
		{ HEAD "[load api\n", "x.ini:5: ", "[SECTION NAME]" },
		{ HEAD "[load] api\n", "x.ini:5: ", "[SECTION NAME]" },
		{ HEAD "[]\n", "x.ini:5: ", "[SECTION NAME]" },
		{ HEAD "[observe]\n" TAIL, "x.ini:5: [observe] is empty", "KEY = VALUE" },
		{ HEAD TAIL "[knobs]\n", "x.ini:11: [knobs] is empty", "KEY = VALUE" },
		{ HEAD "\n  more\n", "x.ini:6: 'more'", "start of a line" },
		{ HEAD "  b = c\n", "x.ini:5: 'b = c'", "start of a line" },
		{ HEAD "memory.max = 1M # small\n", "x.ini:5: ", "a line of its own" },
		{ HEAD "memory.max = \"1M\"\n", "x.ini:5: memory.max", "without quotes" },
		{ HEAD "memory.max = 1M\r\n", "x.ini:5: ", "control character" },
		{ HEAD "memory.max = 1M\nmemory.max = 2M\n", "x.ini:6: memory.max", "line 5" },
		{ HEAD TAIL "[group api]\npath = b\n", "x.ini:11: [group api]", "one place" },
	};

	expect(mistakes, ARRAY_LEN(mistakes));
}

static void unknown_sections_keys_and_words_name_those_there_are(void **state)
{
	static const struct mistake mistakes[] = {
		{ HEAD "[lod api]\nkind = leak\n", "x.ini:6: [lod api]", "[load NAME]" },
		{ HEAD "[load]\nkind = leak\n", "x.ini:6: [load]", "[load NAME]" },
		{ HEAD "[machine x]\nram = 1G\n", "x.ini:6: [machine x]", "[machine]" },
		{ HEAD "[load a.b]\nkind = leak\n", "x.ini:6: [load a.b]", "a name of" },
		{ HEAD "[file data]\nsize = 1M\n", "x.ini:6: [file data]", "a path" },
		{ HEAD "[machine]\nrom = 1G\n" TAIL, "x.ini:6: machine.rom", "ram cpus" },
		{ HEAD "[knobs]\nswapines = 1\n" TAIL, "x.ini:6: knob.swapines", "swappiness" },
		{ HEAD "[knobs]\nswappiness = 201\n" TAIL, "x.ini:6: ", "at most 200" },
		{ HEAD "[machine]\nswap = disk\n" TAIL, "x.ini:6: machine.swap: 'disk'",
		  "none file partition zram zswap" },
		{ HEAD "[machine]\nram = much\n" TAIL, "x.ini:6: machine.ram: 'much'",
		  "a size such as 24M, at least 128M" },
		{ HEAD TAIL "[load b]\nkind = lake\ngroup = api\n",
		  "x.ini:12: load.b.kind: 'lake'", "service leak" },
		{ HEAD TAIL "[load b]\nkind = leak\ngroup = api\nratte = 1M\n",
		  "x.ini:14: load.b.ratte", "rate code" },
		{ HEAD TAIL "[load b]\nkind = leak\ngroup = api\nrate = 3x\n",
		  "x.ini:14: load.b.rate: '3x'", "bytes a second" },
		{ HEAD TAIL "[load b]\nkind = scan\ngroup = api\naccess = odd\n",
		  "x.ini:14: load.b.access: 'odd'", "random sequential read" },
		{ HEAD "memory.most = 1M\n" TAIL, "x.ini:5: group.api.memory.most",
		  "memory.max" },
		{ HEAD TAIL "[truth]\nclass = bad\n", "x.ini:12: truth.class: 'bad'",
		  "file-refault" },
	};

	expect(mistakes, ARRAY_LEN(mistakes));
}

static void names_of_things_that_are_not_there_are_said(void **state)
{
	static const struct mistake mistakes[] = {
		{ HEAD TAIL "[load b]\nkind = idle\n", "x.ini:12: [load b]", "'group = ...'" },
		{ HEAD TAIL "[load b]\ngroup = api\n", "x.ini:12: [load b]", "'kind = ...'" },
		{ HEAD TAIL "[load b]\nkind = idle\ngroup = app\n",
		  "x.ini:13: load.b.group: 'app'", "a [group] of this scenario" },
		{ HEAD TAIL "[phase more]\nstart = worker\nwait = 1s\n",
		  "x.ini:12: phase.more.start: 'worker'", "[load]s" },
		{ HEAD TAIL "[phase more]\nstart = api\nwait = 1s\n",
		  "x.ini:12: phase.more.start: 'api' runs already", "does not" },
		{ HEAD "[phase no]\nstop = api\nwait = 1s\n" TAIL,
		  "x.ini:6: phase.no.stop: 'api' does not run", "does" },
		{ HEAD TAIL "[phase more]\nset.app.memory.max = 1M\nwait = 1s\n",
		  "x.ini:12: phase.more.set.app.memory.max", "a [group]" },
		{ HEAD TAIL "[phase more]\nset.api.memory.most = 1M\nwait = 1s\n",
		  "x.ini:12: group.api.memory.most", "memory.max" },
		{ HEAD TAIL "[phase more]\nknob.what = 1\nwait = 1s\n",
		  "x.ini:12: phase.more.knob.what", "swappiness" },
		{ HEAD TAIL "[truth]\nclass = healthy\ndomain = app.slice\n",
		  "x.ini:13: truth.domain: 'app.slice'", "a [group]" },
		{ HEAD TAIL "[truth]\nclass = healthy\nsufferer = system\n",
		  "x.ini:13: truth.sufferer: 'system'", "a [group]" },
		{ HEAD TAIL "[truth]\nclass = healthy\nonset = later\n",
		  "x.ini:13: truth.onset: 'later'", "a [phase]" },
		{ HEAD TAIL "[truth]\nsufferer = system.slice\n", "x.ini:12: truth.class",
		  "a class" },
		{ HEAD TAIL "[measure]\nservice = web\n", "x.ini:12: measure.service: 'web'",
		  "a [load]" },
		{ HEAD TAIL "[measure]\nfrom = start\n", "x.ini:12: measure.from: 'start'",
		  "a [phase]" },
		{ HEAD "[scenario]\nlike = no-such-one\n" TAIL, "x.ini:5: ", "one place" },
		{ "[scenario]\nlike = no-such-one\n" TAIL,
		  "x.ini:2: scenario.like: 'no-such-one'", "no such scenario" },
		{ "[scenario]\nlike = ../passwd\n" TAIL, "x.ini:2: scenario.like", "the name" },
		{ HEAD TAIL "[shape]\nworse = base.phase > odd.phase\n",
		  "x.ini:12: shape.worse", "an arm that this scenario does not have" },
		{ HEAD TAIL "[shape]\nworse = base.phase >> 3\n", "x.ini:12: shape.worse",
		  "one of < > ~" },
		{ HEAD TAIL "[shape]\nworse = base.phase > 3 * 2\n", "x.ini:12: shape.worse",
		  "one of < > ~" },
		{ HEAD TAIL "[anchors]\nphase = long\n", "x.ini:12: anchors.phase: 'long'",
		  "a number" },
	};

	expect(mistakes, ARRAY_LEN(mistakes));
}

static void what_cannot_be_carried_out_is_said(void **state)
{
	static const struct mistake mistakes[] = {
		{ HEAD, "x.ini:2: has no [phase NAME]", "a wait" },
		{ HEAD "[machine]\nwall_limit = 10s\n[phase long]\nwait = 11s\n" TAIL,
		  "x.ini:6: machine.wall_limit", "a limit above it" },
		{ HEAD "[machine]\nswap = zram\n" TAIL, "x.ini:6: machine.swap_size",
		  "a size" },
		{ HEAD "[machine]\ncpus = 1\nnodes = 2\n" TAIL, "x.ini:6: machine.cpus",
		  "each of 2 nodes" },
		{ HEAD TAIL "file = /data/x.dat\n", "x.ini:11: phase.measure.file", "start" },
		{ HEAD TAIL "[load b]\nkind = stream\ngroup = api\nfile = /big/x\n",
		  "x.ini:14: load.b.file: '/big/x'", "[file /big/x]" },
		{ HEAD TAIL "[load b]\nkind = dirty\ngroup = api\nfile = /scratch/x\n",
		  "x.ini:14: load.b.file: '/scratch/x'", "machine.scratch" },
		{ HEAD TAIL "[load b]\nkind = stream\ngroup = api\n", "x.ini:12: [load b]",
		  "'file = PATH'" },
		{ HEAD TAIL "[load b]\nkind = program\ngroup = api\nexec = /data/bin/guard\n",
		  "x.ini:12: load.b.exec", "[program NAME]" },
		{ HEAD TAIL "[load b]\nkind = idle\ngroup = api\nnode = 1\n",
		  "x.ini:14: load.b.node: '1'", "a node of the machine" },
		{ HEAD TAIL "[file /tmp/x]\nsize = 1M\n", "x.ini:12: [file /tmp/x]", "/data/" },
		{ HEAD TAIL "[file /data/../x]\nsize = 1M\n", "x.ini:12: ", "/data/" },
		{ HEAD TAIL "[file /data/x]\nsize = 1M\ndisk = big\n", "x.ini:13: ", "'data'" },
		{ HEAD TAIL "[file /data/x]\ndisk = data\n", "x.ini:12: [file /data/x]",
		  "'size = ...'" },
		{ HEAD TAIL "[group b]\npath = ../../etc\n", "x.ini:12: group.b.path",
		  "a path" },
		{ HEAD TAIL "[group b]\npath = system.slice/api.service\n",
		  "x.ini:12: group.b.path", "group.api" },
	};

	expect(mistakes, ARRAY_LEN(mistakes));
}

static void conditions_are_checked_with_what_they_name(void **state)
{
	static const struct mistake mistakes[] = {
		{ HEAD TAIL "until = avail < 1M\n", "x.ini:11: phase.measure.until",
		  "available free swapped" },
		{ HEAD TAIL "until = available = 1M\n", "x.ini:11: ", "available < 75M" },
		{ HEAD TAIL "until = available < \n", "x.ini:11: ", "available < 75M" },
		{ HEAD TAIL "until = available < 1M 2\n", "x.ini:11: ", "available < 75M" },
		{ HEAD TAIL "until = killed web\n", "x.ini:11: ", "killed LOAD" },
		{ HEAD TAIL "until = killed api now\n", "x.ini:11: ", "killed LOAD" },
		{ HEAD TAIL "until = size\n", "x.ini:11: ", "size LOAD" },
		{ HEAD TAIL "until = needs app > 1M\n", "x.ini:11: ", "needs GROUP" },
		{ HEAD TAIL "until = node-free 1 < 1M\n", "x.ini:11: ", "node-free" },
		{ HEAD TAIL "until = rounds api > 1M\n", "x.ini:11: ", "rounds LOAD" },
	};

	expect(mistakes, ARRAY_LEN(mistakes));
}

static void overrides_are_checked_where_they_stand(void **state)
{
	static const struct mistake mistakes[] = {
		{ HEAD TAIL "[arm a]\nmachine.ram = 1\n", "x.ini:12: machine.ram: '1'",
		  "128M" },
		{ HEAD TAIL "[arm a]\nram = 1G\n", "x.ini:12: 'ram'", "a full key" },
		{ HEAD TAIL "[arm a]\nload.rate = 1G\n", "x.ini:12: 'load.rate'",
		  "a full key" },
		{ HEAD TAIL "[arm a]\narm.b.title = x\n", "x.ini:12: ", "a full key" },
		{ HEAD TAIL "[arm a]\nload.web.anon = 1G\n", "x.ini:12: [load web]", "kind" },
		{ HEAD TAIL "[matrix]\nload.api.period = 1s soon\n",
		  "x.ini:12: load.api.period: 'soon'", "a time" },
		{ HEAD TAIL "[quick]\nmachine.x = 1\n", "", "" },
	};

	expect(mistakes, ARRAY_LEN(mistakes) - 1);
	/* What only --quick uses is seen with --quick. */
	assert_non_null(
		strstr(error_with(mistakes[6].text, &(struct scenario_choice){ .quick = true }),
		       "x.ini:12: machine.x: unknown key"));
}

static void a_bad_set_is_said_without_a_line(void **state)
{
	static const char *const bad[] = { "machine.ram", "machine.ram=1", "ram=1G",
					   "machine.cmdline=a\nb", "load.api.what=1" };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const struct scenario_choice choice = { .set = &bad[i], .sets = 1 };

		case_of(bad[i]);
		assert_true(span_starts(span_cstr(error_with(HEAD TAIL, &choice)), "--set: "));
	}
}

static void quick_arms_that_are_none_are_said(void **state)
{
	const struct scenario_choice quick = { .quick = true };

	assert_non_null(strstr(error_with(HEAD TAIL "[quick]\narms = other\n", &quick),
			       "x.ini:12: quick.arms"));
}

static void too_many_arms_are_refused(void **state)
{
	static const char text[] =
		HEAD TAIL "[matrix]\n"
			  "machine.cpus = 1 2 3 4 5 6 7 8\n"
			  "machine.disk_iops = 100 200 300 400 500 600 700 800\n"
			  "knob.swappiness = 1 2 3 4 5 6 7 8\n";

	assert_non_null(strstr(error_with(text, &NONE), "x.ini:14: [matrix]"));
}

static void hostile_bytes_are_shown_harmless(void **state)
{
	const char *said = error_with(HEAD "\xff\x1b[31m = 1\n", &NONE);

	assert_null(memchr(said, 0x1b, strlen(said)));
	said = error_with(HEAD "[machine]\nram = \xff\xfe\n" TAIL, &NONE);
	assert_non_null(strstr(said, "\\xff"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_that_is_no_ini_is_said_with_its_number),
		cmocka_unit_test(unknown_sections_keys_and_words_name_those_there_are),
		cmocka_unit_test(names_of_things_that_are_not_there_are_said),
		cmocka_unit_test(what_cannot_be_carried_out_is_said),
		cmocka_unit_test(conditions_are_checked_with_what_they_name),
		cmocka_unit_test(overrides_are_checked_where_they_stand),
		cmocka_unit_test(a_bad_set_is_said_without_a_line),
		cmocka_unit_test(quick_arms_that_are_none_are_said),
		cmocka_unit_test(too_many_arms_are_refused),
		cmocka_unit_test(hostile_bytes_are_shown_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
