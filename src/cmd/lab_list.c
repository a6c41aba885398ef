#include "base/json.h"
#include "cmd/lab.h"
#include "lab/scenario/print.h"
#include "lab/scenario/shipped.h"

void lab_manual(FILE *file)
{
	scenario_manual(file);
}

static int refuse(int r, const struct lab_error *error)
{
	cmd_error("%s", error->text[0] ? error->text : strerror(-r));
	return EXIT_USAGE;
}

static void list_json(const struct shipped *shipped)
{
	struct json json = json_on(stdout, true);

	json_open(&json, NULL, '[');
	for (size_t i = 0; i < shipped->rows; i++) {
		const struct shipped_row *row = &shipped->row[i];

		json_open(&json, NULL, '{');
		json_text(&json, "name", row->name);
		json_text(&json, "id", row->id);
		json_text(&json, "title", row->title);
		json_text(&json, "tags", row->tags);
		json_text(&json, "source", row->source);
		json_close(&json, '}');
	}
	json_close(&json, ']');
}

int action_list(const struct lab_options *options)
{
	struct lab_error error = { 0 };
	struct shipped shipped;
	int r;

	if (options->operands != 0) {
		cmd_error("lab list: expected nothing behind it");
		return EXIT_USAGE;
	}
	r = shipped_open(NULL, &shipped, &error);
	if (r < 0)
		return refuse(r, &error);
	if (options->json)
		list_json(&shipped);
	else
		scenario_list(&shipped, stdout);
	shipped_done(&shipped);
	return EXIT_FINE;
}

static void show_json(const struct scenario_set *set)
{
	struct json json = json_on(stdout, true);

	json_open(&json, NULL, '{');
	json_text(&json, "name", set->name);
	json_open(&json, "arms", '[');
	for (size_t i = 0; i < set->arms; i++) {
		char *text = NULL;
		size_t size = 0;
		FILE *file = open_memstream(&text, &size);

		if (!file)
			break;
		scenario_write(&set->arm[i], file);
		fclose(file);
		json_open(&json, NULL, '{');
		json_text(&json, "arm", set->arm[i].arm);
		json_text(&json, "title", set->arm[i].arm_title);
		json_span(&json, "scenario", span_of(text, size));
		json_close(&json, '}');
		free(text);
	}
	json_close(&json, ']');
	json_close(&json, '}');
}

int action_show(const struct lab_options *options)
{
	const struct scenario_choice choice = {
		.quick = options->quick,
		.set = options->setting,
		.sets = options->settings,
	};
	struct lab_error error = { 0 };
	struct scenario_set set;
	int r;

	if (options->operands != 1) {
		cmd_error("lab show: expected one scenario; see refault lab list");
		return EXIT_USAGE;
	}
	r = scenario_set_open(options->operand[0], &choice, &set, &error);
	if (r < 0)
		return refuse(r, &error);
	if (options->json)
		show_json(&set);
	else
		scenario_show(&set, stdout);
	scenario_set_done(&set);
	return EXIT_FINE;
}
