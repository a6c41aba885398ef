#include "view/scene.h"

#include "view/clock.h"
#include "view/report.h"
#include "view/words.h"

/* 65,536 cgroups and as many processes take about 40 MiB; the rest is never touched. */
#define SCENE_ARENA ((size_t)128 << 20)

int scene_init(struct scene *scene)
{
	*scene = (struct scene){
		.cgroups = { .layout = &CGROUP_LAYOUT },
		.tasks = { .layout = &TASK_LAYOUT },
	};
	return arena_init(&scene->arena, SCENE_ARENA);
}

void scene_done(struct scene *scene)
{
	arena_done(&scene->arena);
}

static struct text say(struct scene *scene, enum say which, const char *label)
{
	struct saying *saying = &scene->say[which];

	saying->label = label;
	return text_on(saying->text, sizeof(saying->text));
}

static void say_headline(struct scene *scene, const struct verdict *verdict)
{
	const struct class_row *row = class_row(verdict->class);
	struct text text = text_on(scene->headline, sizeof(scene->headline));

	scene->severity = scene->is_judged ? verdict->severity : SEV_INFO;
	if (scene->is_judged)
		text_add(&text, "%s: %s", row->word, row->title);
	else
		text_add(&text, "SAMPLING: a verdict needs two samples");
}

static void say_where(struct scene *scene, const struct verdict *verdict)
{
	struct text text = say(scene, SAY_WHERE, "where");

	words_domain(&text, verdict->evidence, verdict->domain);
	text_add(&text, "; sure? %s: %s", confidence_name(verdict->confidence),
		 verdict->confidence_why);
}

static void say_collapse(struct text *text, const struct evidence *evidence, int32_t index)
{
	const struct member *member = &evidence->members[index];

	if (!member->loss.collapsed)
		return;
	text_add(text, ", mapped files shrank from ");
	text_bytes(text, evidence->window->track[index].calm_mapped);
	text_add(text, " to ");
	words_signal(text, &member->signals, SIG_MAPPED);
}

static void say_more(struct text *text, size_t count)
{
	if (count > 1)
		text_add(text, "; and %zu more", count - 1);
}

static void say_sufferer(struct scene *scene, const struct verdict *verdict)
{
	struct text text = say(scene, SAY_SUFFERS, "suffers");
	const struct evidence *evidence = verdict->evidence;
	int32_t index;

	if (verdict->sufferers == 0) {
		text_add(&text, "nobody that is known of");
		return;
	}
	index = verdict->sufferer[0].member;
	words_cgroup(&text, evidence->pair.now, index);
	text_add(&text, "  ");
	words_loss(&text, &evidence->members[index].loss);
	words_reread(&text, &evidence->members[index].signals);
	say_collapse(&text, evidence, index);
	say_more(&text, verdict->sufferers);
}

static void say_growth(struct text *text, const struct growth *growth)
{
	if (!isnan(growth->level)) {
		text_add(text, "  anonymous ");
		text_bytes(text, growth->level);
	}
	if (growth->rate > 0) {
		text_add(text, ", growing ");
		text_bytes(text, growth->rate);
		text_add(text, "/s");
	}
}

static void say_culprit(struct scene *scene, const struct verdict *verdict)
{
	bool is_alarm = verdict->severity >= SEV_WARN;
	struct text text = say(scene, SAY_CAUSED, is_alarm ? "caused by" : "grows");
	const struct evidence *evidence = verdict->evidence;
	const struct party *party = &verdict->culprit[0];

	if (verdict->culprits == 0) {
		text_add(&text,
			 is_alarm || isnan(verdict->domain->grow_rate) ? "unknown" : "nothing");
		return;
	}
	words_cgroup(&text, evidence->pair.now, party->member);
	say_growth(&text, &evidence->members[party->member].growth);
	if (party->task) {
		text_add(&text, ", process ");
		text_name(&text, span_cstr(party->task->name));
		text_add(&text, " (%u)", party->task->pid);
	}
	say_more(&text, verdict->culprits);
}

static void say_rest(struct scene *scene, const struct verdict *verdict)
{
	struct text next = say(scene, SAY_NEXT, "next");
	struct text now = say(scene, SAY_NOW, "now");

	words_forecast(&next, &verdict->forecast);
	text_add(&now, "%s", class_row(verdict->class)->now);
}

/* What a sheet of paper would show; cut off where it is longer than there is room. */
static void take_report(struct scene *scene, const struct verdict *verdict)
{
	FILE *file = fmemopen(scene->report, sizeof(scene->report) - 1, "w");
	const struct paper paper = { .file = file };

	scene->report[0] = '\0';
	if (!file)
		return;
	report_print(&paper, verdict);
	fclose(file);
	scene->report[sizeof(scene->report) - 1] = '\0';
}

static void take_parents(struct scene *scene, const struct snapshot *now)
{
	scene->parents = 0;
	scene->parent = arena_raw(&scene->arena, now->cgroup_count * sizeof(*scene->parent));
	if (!scene->parent)
		return;
	scene->parents = now->cgroup_count;
	for (size_t i = 0; i < now->cgroup_count; i++)
		scene->parent[i] = now->cgroups[i].parent;
}

static void take_sayings(struct scene *scene, const struct verdict *verdict)
{
	struct text machine = text_on(scene->machine, sizeof(scene->machine));
	struct text clock = text_on(scene->clock, sizeof(scene->clock));

	for (size_t i = 0; i < SAYINGS; i++)
		scene->say[i] = (struct saying){ .label = "" };
	words_machine(&machine, verdict->evidence);
	clock_add(&clock, &verdict->evidence->pair.now->host);
	say_headline(scene, verdict);
	if (!scene->is_judged)
		return;
	say_where(scene, verdict);
	say_sufferer(scene, verdict);
	say_culprit(scene, verdict);
	say_rest(scene, verdict);
}

void scene_take(struct scene *scene, const struct verdict *verdict,
		const struct history *history)
{
	const struct evidence *evidence = verdict->evidence;
	const struct snapshot *now = evidence->pair.now;

	arena_reset(&scene->arena);
	scene->is_filled = true;
	scene->is_judged = evidence->pair.before != NULL;
	scene->tasks_state = now->tasks_state;
	scene->total_bytes = signal_of(&evidence->machine, SIG_TOTAL);
	scene->moments = history->count;
	take_sayings(scene, verdict);
	take_report(scene, verdict);
	take_parents(scene, now);
	rows_of_cgroups(verdict, &scene->arena, &scene->cgroups);
	rows_of_tasks(verdict, &scene->arena, &scene->tasks);
}

/* The top is the machine: everything is in it, also what is in no cgroup. */
static bool is_top(const struct scene *scene, int32_t index)
{
	return (size_t)index < scene->parents && scene->parent[index] < 0;
}

bool scene_has_task(const struct scene *scene, const struct row *cgroup, const struct row *task)
{
	int32_t at = task->owner[cgroup->generation == HIERARCHY_V2 ? 0 : 1];

	if (is_top(scene, cgroup->index))
		return true;
	while (at >= 0 && (size_t)at < scene->parents) {
		if (at == cgroup->index)
			return true;
		at = scene->parent[at];
	}
	return false;
}
