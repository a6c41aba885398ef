#include "fix/plan.h"

#include <errno.h>

#include "audit/origin.h"
#include "base/text.h"

bool fix_name_is_plain(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789:_.@\\-";

	return *name && *name != '.' && strlen(name) < 200 &&
	       strspn(name, letters) == strlen(name);
}

/* Nothing that would be another line, or that a terminal would act on. */
static bool is_line(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			return false;
	return true;
}

static const char *kept(struct fix_plan *plan, const char *text)
{
	return facts_format(plan->facts, "%s", text);
}

static void say(struct fix_word *list, size_t *count, const struct result *result,
		const char *text)
{
	if (*count < FIX_STEPS)
		list[(*count)++] = (struct fix_word){ result->rule->id, text };
}

static void leave(struct fix_plan *plan, const struct result *result, const char *text)
{
	say(plan->left, &plan->lefts, result, text);
}

/* The lines of a block that are no comments, without the value: what it sets. */
static bool names_of(struct span block, char *out, size_t size)
{
	struct text text = text_on(out, size);
	struct span line;

	while (span_line(&block, &line)) {
		struct span key = line;
		struct span value;

		if (span_empty(line) || *line.at == '#')
			continue;
		if (span_starts(line, "w /"))
			(void)!span_split(span_of(line.at + 2, span_len(line) - 2), ' ', &key,
					  &value);
		else if (!span_split(line, '=', &key, &value))
			(void)!span_split(line, ':', &key, &value);
		key = span_trim(key);
		text_put(&text, key.at, span_len(key));
		text_add(&text, " ");
	}
	return text.used > 0;
}

/* The text up to the next blank line. */
static bool next_block(struct span *rest, struct span *block)
{
	const char *end;

	while (!span_empty(*rest) && *rest->at == '\n')
		rest->at++;
	if (span_empty(*rest))
		return false;
	end = memmem(rest->at, span_len(*rest), "\n\n", 2);
	*block = (struct span){ rest->at, end ? end + 1 : rest->end };
	rest->at = block->end;
	return true;
}

const char *fix_merge(struct facts *facts, const char *before, const char *block)
{
	struct span rest = span_cstr(before ? before : FIX_MARK);
	size_t size = span_len(rest) + strlen(block) + 8;
	char *out = arena_alloc(facts->reader.arena, size);
	struct text text;
	struct span old;
	char wanted[512];
	char names[512];
	bool is_in = false;

	if (!out || !names_of(span_cstr(block), wanted, sizeof(wanted)))
		return NULL;
	text = text_on(out, size);
	while (next_block(&rest, &old)) {
		bool is_same =
			names_of(old, names, sizeof(names)) && strcmp(names, wanted) == 0;
		struct span put = is_same ? span_cstr(block) : old;

		if (is_same && is_in)
			continue;
		is_in |= is_same;
		if (text.used > 0)
			text_add(&text, "\n");
		text_put(&text, put.at, span_len(put));
	}
	if (!is_in)
		text_add(&text, "%s%s", text.used > 0 ? "\n" : "", block);
	return text.cut ? NULL : out;
}

/* The file of that path in the plan, read when it is asked for first. */
static struct fix_file *file_at(struct fix_plan *plan, const char *path)
{
	struct fix_file *file;
	struct span text;
	int r;

	for (size_t i = 0; i < plan->files; i++)
		if (strcmp(plan->file[i].path, path) == 0)
			return &plan->file[i];
	if (plan->files == FIX_FILES)
		return NULL;
	file = &plan->file[plan->files++];
	*file = (struct fix_file){ .path = kept(plan, path) };
	r = root_read(plan->facts->root, path, plan->facts->reader.buffer, &text);
	if (r == 0) {
		file->before = arena_text(plan->facts->reader.arena, text.at, span_len(text));
		file->is_foreign = !file->before || !span_starts(text, FIX_MARK);
	} else if (r != -ENOENT && r != -ENOTDIR) {
		file->is_foreign = true;
	}
	file->after = file->before;
	return file;
}

/* Comments that say why; then the lines that set it. */
static const char *block_of(struct fix_plan *plan, const struct result *result,
			    const struct fix_step *step, const char *lines)
{
	const char *previous =
		step->previous && is_line(step->previous) ? step->previous : NULL;
	const char *computed =
		step->computed && is_line(step->computed) ? step->computed : NULL;

	return facts_format(plan->facts, "# %s: %s\n%s%s%s%s%s%s%s", result->rule->id,
			    result->rule->title, computed ? "# " : "", computed ? computed : "",
			    computed ? "\n" : "", previous ? "# before: " : "",
			    previous ? previous : "", previous ? "\n" : "", lines);
}

/* What a step sets; NULL for what can't disagree. */
static const char *setting_of(struct fix_plan *plan, const struct fix_step *step)
{
	switch (step->kind) {
	case FIX_SYSCTL:
		return facts_format(plan->facts, "proc/sys/%s", step->key);
	case FIX_TMPFILES:
		return step->key;
	case FIX_UNIT:
	case FIX_CONF:
		return facts_format(plan->facts, "%s [%s] %s", step->name, step->section,
				    step->key);
	case FIX_KUBELET:
		return facts_format(plan->facts, "kubelet %s", step->key);
	case FIX_SWAPFILE:
	case FIX_ENABLE:
	case FIX_PRINT:
	case FIX_NONE:
		return NULL;
	}
	return NULL;
}

static size_t setting_at(const struct fix_plan *plan, const char *setting)
{
	size_t i = 0;

	while (i < plan->settings && strcmp(plan->setting[i], setting) != 0)
		i++;
	return i;
}

/* Notes what is wanted; where two want different values, nothing is. */
static void collect(struct fix_plan *plan, const struct result *result,
		    const struct fix_step *step)
{
	const char *setting = setting_of(plan, step);
	size_t i = setting ? setting_at(plan, setting) : FIX_STEPS;

	if (i == FIX_STEPS)
		return;
	if (i == plan->settings) {
		plan->setting[i] = setting;
		plan->wanted[i] = step->value;
		plan->by[i] = result->rule->id;
		plan->settings++;
	} else if (plan->wanted[i] && strcmp(plan->wanted[i], step->value) != 0) {
		leave(plan, result,
		      facts_format(plan->facts,
				   "%s: %s wants %s and %s wants %s, so neither is written",
				   setting, plan->by[i], plan->wanted[i], result->rule->id,
				   step->value));
		plan->wanted[i] = NULL;
	}
}

static bool is_agreed(struct fix_plan *plan, const struct fix_step *step)
{
	const char *setting = setting_of(plan, step);
	size_t i = setting ? setting_at(plan, setting) : 0;

	return !setting || (i < plan->settings && plan->wanted[i]);
}

static bool put_block(struct fix_plan *plan, const struct result *result, const char *path,
		      const char *block)
{
	struct fix_file *file = file_at(plan, path);

	if (!file || file->is_foreign) {
		leave(plan, result,
		      facts_format(plan->facts,
				   "/%s is there and was not written by refault: it is left "
				   "alone",
				   path));
		return false;
	}
	block = fix_merge(plan->facts, file->after, block);
	if (block)
		file->after = block;
	return block != NULL;
}

/* Somebody whose file is read later would take it back: then it is no use to write it. */
static const char *overridden_by(struct fix_plan *plan, const char *path)
{
	struct origin origin = origin_of(plan->facts, path);

	if (!origin.row || strstr(origin.row->file, "/90-refault."))
		return NULL;
	if (strcmp(origin.owner, "tuned") == 0)
		return origin_where(plan->facts, &origin);
	if (strcmp(origin.owner, "command line") == 0)
		return NULL;
	return strcmp(strrchr(origin.row->file, '/') + 1, "90-refault.conf") > 0 ?
		       origin_where(plan->facts, &origin) :
		       NULL;
}

static void put_value(struct fix_plan *plan, const struct result *result,
		      const struct fix_step *step)
{
	if (step->now && plan->values < FIX_STEPS)
		plan->value[plan->values++] =
			(struct fix_value){ step->now, step->value, result->rule->id };
}

static void plan_kernel(struct fix_plan *plan, const struct result *result,
			const struct fix_step *step)
{
	bool is_sysctl = step->kind == FIX_SYSCTL;
	const char *path =
		is_sysctl ? facts_format(plan->facts, "proc/sys/%s", step->key) : step->key;
	const char *where = overridden_by(plan, path);
	const char *lines;

	if (!path_is_plain(path) || strpbrk(path, " \t\n") || !is_line(step->value)) {
		leave(plan, result, "is no setting that can be written");
		return;
	}
	if (where) {
		leave(plan, result,
		      facts_format(plan->facts,
				   "/%s sets it later than refault would: change it there",
				   where));
		return;
	}
	lines = is_sysctl ?
			facts_format(plan->facts, "%s = %s\n", step->key, step->value) :
			facts_format(plan->facts, "w /%s - - - - %s\n", step->key, step->value);
	if (put_block(plan, result,
		      is_sysctl ? "etc/sysctl.d/90-refault.conf" :
				  "etc/tmpfiles.d/90-refault.conf",
		      block_of(plan, result, step, lines)))
		put_value(plan, result, step);
}

/* Units and files in the form of systemd. */
static void plan_section(struct fix_plan *plan, const struct result *result,
			 const struct fix_step *step, const char *path)
{
	if (!fix_name_is_plain(step->section) || !fix_name_is_plain(step->key) ||
	    !is_line(step->value)) {
		leave(plan, result, "is no setting that can be written");
		return;
	}
	put_block(plan, result, path,
		  block_of(plan, result, step,
			   facts_format(plan->facts, "[%s]\n%s=%s\n", step->section, step->key,
					step->value)));
}

static void plan_unit(struct fix_plan *plan, const struct result *result,
		      const struct fix_step *step)
{
	if (!fix_name_is_plain(step->name)) {
		leave(plan, result,
		      "the unit has a name that is written by nobody but its owner");
		return;
	}
	plan_section(plan, result, step,
		     facts_format(plan->facts, "etc/systemd/system/%s.d/90-refault.conf",
				  step->name));
}

static void plan_conf(struct fix_plan *plan, const struct result *result,
		      const struct fix_step *step)
{
	plan_section(plan, result, step,
		     facts_format(plan->facts, "etc/%s.d/90-refault.conf", step->name));
}

#define KUBELET_HEAD "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"

/* "memorySwap.swapBehavior": a map and a key in it; eviction's keys have dots of their own. */
static void plan_kubelet(struct fix_plan *plan, const struct result *result,
			 const struct fix_step *step)
{
	const char *dot = strchr(step->key, '.');
	const char *path = facts_format(plan->facts, "%s/90-refault.conf", step->name);
	struct fix_file *file;
	const char *lines;

	if (!path_is_plain(path) || !is_line(step->value) || !fix_name_is_plain(step->key)) {
		leave(plan, result, "is no setting that can be written");
		return;
	}
	lines = dot ? facts_format(plan->facts, "%.*s:\n  \"%s\": %s\n", (int)(dot - step->key),
				   step->key, dot + 1, step->value) :
		      facts_format(plan->facts, "%s: %s\n", step->key, step->value);
	file = file_at(plan, path);
	if (file && !file->after)
		file->after = FIX_MARK "\n" KUBELET_HEAD;
	put_block(plan, result, path, block_of(plan, result, step, lines));
}

static void plan_swapfile(struct fix_plan *plan, const struct result *result,
			  const struct fix_step *step)
{
	const char *unit = facts_format(plan->facts, "etc/systemd/system/%s.swap", step->name);
	struct fix_file *file = fix_name_is_plain(step->name) ? file_at(plan, unit) : NULL;

	if (!file || strchr(step->name, '-') ||
	    span_u64(span_cstr(step->value), &plan->swap_bytes) < 0) {
		leave(plan, result, "is no swap file that can be made");
		return;
	}
	if (root_exists(plan->facts->root, step->name) || file->is_foreign) {
		leave(plan, result,
		      facts_format(plan->facts, "/%s, or a unit for it, is there already",
				   step->name));
		return;
	}
	plan->swapfile = step->name;
	file->after = facts_format(plan->facts,
				   FIX_MARK "# %s: %s\n# %s\n\n[Swap]\nWhat=/%s\n\n"
					    "[Install]\nWantedBy=swap.target\n",
				   result->rule->id, result->rule->title,
				   step->computed ? step->computed : "", step->name);
}

static void plan_enable(struct fix_plan *plan, const struct result *result,
			const struct fix_step *step)
{
	if (!fix_name_is_plain(step->name)) {
		leave(plan, result, "is no unit that can be enabled");
		return;
	}
	for (size_t i = 0; i < plan->enables; i++)
		if (strcmp(plan->enable[i], step->name) == 0)
			return;
	if (plan->enables < FIX_STEPS)
		plan->enable[plan->enables++] = step->name;
}

static void plan_step(struct fix_plan *plan, const struct result *result,
		      const struct fix_step *step)
{
	if (!is_agreed(plan, step))
		return;
	switch (step->kind) {
	case FIX_SYSCTL:
	case FIX_TMPFILES:
		plan_kernel(plan, result, step);
		return;
	case FIX_UNIT:
		plan_unit(plan, result, step);
		return;
	case FIX_CONF:
		plan_conf(plan, result, step);
		return;
	case FIX_KUBELET:
		plan_kubelet(plan, result, step);
		return;
	case FIX_SWAPFILE:
		plan_swapfile(plan, result, step);
		return;
	case FIX_ENABLE:
		plan_enable(plan, result, step);
		return;
	case FIX_PRINT:
		say(plan->told, &plan->tells, result, step->value);
		return;
	case FIX_NONE:
		return;
	}
}

typedef void visit(struct fix_plan *plan, const struct result *result,
		   const struct fix_step *step);

static void each_step(struct audit *audit, enum level least, struct fix_plan *plan, visit *call)
{
	for (size_t i = 0; i < audit->results; i++) {
		const struct result *result = &audit->result[i];

		if (!result_fires(result) || result->level < least)
			continue;
		for (size_t j = 0; j < result->fixes; j++)
			call(plan, result, &result->fix[j]);
	}
}

void fix_plan_make(struct audit *audit, enum level least, struct fix_plan *out)
{
	*out = (struct fix_plan){ .facts = audit->facts };
	each_step(audit, least, out, collect);
	each_step(audit, least, out, plan_step);
}

bool fix_plan_is_empty(const struct fix_plan *plan)
{
	for (size_t i = 0; i < plan->files; i++) {
		const struct fix_file *file = &plan->file[i];

		if (file->after && (!file->before || strcmp(file->before, file->after) != 0))
			return false;
	}
	return plan->values == 0 && plan->enables == 0;
}
