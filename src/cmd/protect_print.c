#include "base/json.h"
#include "base/units.h"
#include "cmd/protect.h"
#include "policy/protect_tree.h"
#include "view/paper.h"

static const struct protected *entry_of(const struct protect_job *job, uint64_t id)
{
	for (size_t i = 0; i < PROTECTED_MAX; i++)
		if (id != 0 && job->protection.list[i].id == id)
			return &job->protection.list[i];
	return NULL;
}

/* What would stand in memory.min after --now. */
static uint64_t value_of(const struct protect_job *job, const struct snapshot *now,
			 const struct protected *entry)
{
	int32_t index = tree_index(now, entry->id);

	for (size_t i = 0; i < job->writes; i++)
		if (job->write[i].id == entry->id)
			return job->write[i].to;
	return index < 0 ? 0 : now->cgroups[index].value[CG_MIN];
}

static void add_bytes(struct text *text, uint64_t bytes)
{
	if (bytes == UINT64_MAX)
		text_add(text, "max");
	else
		text_bytes(text, (double)bytes);
}

static void add_part(struct text *text, const char *what, double bytes)
{
	text_add(text, "%s", what);
	if (isnan(bytes))
		text_add(text, "unknown");
	else
		text_bytes(text, bytes);
}

static void print_measured(const struct paper *paper, const struct protected *entry)
{
	const struct workingset_size *size = &entry->size;
	char buffer[512];
	struct text text = text_on(buffer, sizeof(buffer));

	add_part(&text, "", size->bytes);
	add_part(&text, ": anonymous and shared ", size->anon);
	add_part(&text, ", hot files ", size->hot_file);
	add_part(&text, ", kernel ", size->kernel);
	if (size->locked > 0)
		add_part(&text, ", locked ", size->locked);
	if (*size->how)
		text_add(&text, " (%s)", size->how);
	paper_row(paper, "working set", &text);
}

static void print_value(const struct paper *paper, const struct protect_job *job,
			const struct snapshot *now, const struct protected *entry)
{
	int32_t index = tree_index(now, entry->id);
	uint64_t value = value_of(job, now, entry);
	char buffer[512];
	struct text text = text_on(buffer, sizeof(buffer));

	if (index < 0)
		return;
	add_bytes(&text, protect_effective(now, index));
	text_add(&text, " in force, of memory.min ");
	add_bytes(&text, now->cgroups[index].value[CG_MIN]);
	text_add(&text, value == now->cgroups[index].value[CG_MIN] ? "; stays as it is" :
								     "; would be ");
	if (value != now->cgroups[index].value[CG_MIN])
		add_bytes(&text, value);
	if (entry->why_not)
		text_add(&text, " (%s)", entry->why_not);
	paper_row(paper, "protection", &text);
}

static void print_entry(const struct paper *paper, const struct protect_job *job,
			const struct snapshot *now, const struct protected *entry)
{
	char buffer[1024];
	struct text text = text_on(buffer, sizeof(buffer));

	text_name(&text, span_cstr(entry->path));
	fprintf(paper->file, "%s\n", buffer);
	if (entry->is_asked)
		print_measured(paper, entry);
	print_value(paper, job, now, entry);
}

static const char *section_of(const char *unit)
{
	static const struct {
		const char *suffix;
		const char *section;
	} kinds[] = {
		{ ".service", "Service" }, { ".scope", "Scope" }, { ".slice", "Slice" },
		{ ".socket", "Socket" },   { ".mount", "Mount" }, { ".swap", "Swap" },
	};
	const char *dot = strrchr(unit, '.');

	for (size_t i = 0; dot && i < ARRAY_LEN(kinds); i++)
		if (strcmp(dot, kinds[i].suffix) == 0)
			return kinds[i].section;
	return NULL;
}

static const char *unit_of(const struct protected *entry)
{
	const char *slash = strrchr(entry->path, '/');

	return slash ? slash + 1 : entry->path;
}

static unsigned long long mib_of(uint64_t bytes)
{
	return (bytes >> 20) + ((bytes & 0xfffff) != 0);
}

/* As a file for systemd; nothing for a cgroup that is no unit of it. */
static void print_drop_in(const struct protect_job *job, const struct snapshot *now,
			  const struct protected *entry)
{
	const char *section = section_of(unit_of(entry));
	uint64_t value = value_of(job, now, entry);
	char buffer[1024];
	char measured[256];
	struct text name = text_on(buffer, sizeof(buffer));
	struct text how = text_on(measured, sizeof(measured));

	if (!section || value == 0 || value == UINT64_MAX)
		return;
	text_name(&name, span_cstr(unit_of(entry)));
	printf("\n# /etc/systemd/system/%s.d/50-refault-memory-min.conf\n", buffer);
	if (entry->is_asked) {
		text_add(&how, "Measured by refault protect in %.0f s: ", job->seconds);
		add_part(&how, "working set ", entry->size.bytes);
		add_part(&how, ", of which hot files ", entry->size.hot_file);
		text_add(&how, "; with a margin of %llu %%.",
			 (unsigned long long)job->config.options.protect_margin);
	} else {
		text_add(&how, "What is protected in it; without it that would not hold.");
	}
	printf("# %s\n[%s]\nMemoryMin=%lluM\n", measured, section, mib_of(value));
}

static void each(const struct protect_job *job, const struct snapshot *now,
		 void (*print)(const struct protect_job *, const struct snapshot *,
			       const struct protected *))
{
	for (int above = 0; above < 2; above++)
		for (size_t i = 0; i < PROTECTED_MAX; i++) {
			const struct protected *entry = &job->protection.list[i];

			if (entry->id != 0 && entry->is_asked == !above)
				print(job, now, entry);
		}
}

static void print_one(const struct protect_job *job, const struct snapshot *now,
		      const struct protected *entry)
{
	const struct paper paper = { .file = stdout, .width = terminal_width(40) };

	print_entry(&paper, job, now, entry);
}

void protect_print(const struct protect_job *job, const struct snapshot *now)
{
	each(job, now, print_one);
	printf("\nTo keep it for good, as files for systemd:\n");
	each(job, now, print_drop_in);
}

static void json_size(struct json *json, const struct workingset_size *size)
{
	json_open(json, "working_set", '{');
	json_double(json, "bytes", size->bytes);
	json_double(json, "anon", size->anon);
	json_double(json, "hot_file", size->hot_file);
	json_double(json, "kernel", size->kernel);
	json_double(json, "locked", size->locked);
	json_text(json, "how", size->how);
	json_close(json, '}');
}

static void json_min(struct json *json, const char *name, uint64_t bytes)
{
	if (bytes == UINT64_MAX)
		json_text(json, name, "max");
	else
		json_u64(json, name, bytes);
}

static void json_entry(struct json *json, const struct protect_job *job,
		       const struct snapshot *now, const struct protected *entry)
{
	int32_t index = tree_index(now, entry->id);

	json_open(json, NULL, '{');
	json_text(json, "cgroup", entry->path);
	json_bool(json, "asked", entry->is_asked);
	if (entry->is_asked)
		json_size(json, &entry->size);
	if (index >= 0) {
		json_min(json, "memory_min", now->cgroups[index].value[CG_MIN]);
		json_min(json, "effective", protect_effective(now, index));
	}
	json_min(json, "would_be", value_of(job, now, entry));
	if (entry->why_not)
		json_text(json, "why_not", entry->why_not);
	json_close(json, '}');
}

void protect_print_json(const struct protect_job *job, const struct snapshot *now)
{
	struct json json = json_on(stdout, true);

	json_open(&json, NULL, '{');
	json_double(&json, "seconds", job->seconds);
	json_open(&json, "units", '[');
	for (size_t i = 0; i < PROTECTED_MAX; i++)
		if (entry_of(job, job->protection.list[i].id))
			json_entry(&json, job, now, &job->protection.list[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	putchar('\n');
}
