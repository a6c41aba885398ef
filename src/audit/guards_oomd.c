#include "audit/guards.h"
#include "base/units.h"

/* oomd.conf(5), 257. */
#define DEFAULT_SWAP_CENTI 9000
#define DEFAULT_PRESSURE_CENTI 6000
#define DEFAULT_DURATION_US (30 * SECOND_US)

/* "60%", "60.5%", "605‰" is rare enough to be left. */
static void take_centi(const struct config_row *row, uint64_t *centi)
{
	struct span text = row ? span_trim(span_cstr(row->value)) : span_cstr("");
	uint64_t number;

	if (span_empty(text) || text.end[-1] != '%')
		return;
	text.end--;
	if (span_fixed(text, 2, &number) == 0 && number <= 10000)
		*centi = number;
}

static void take_duration(const struct config_row *row, uint64_t *duration_us)
{
	struct span text = row ? span_trim(span_cstr(row->value)) : span_cstr("");
	uint64_t number;

	/* systemd writes "sec" and "min" as well as "s" and "m". */
	if (span_len(text) > 3 && (span_starts(span_of(text.end - 3, 3), "sec") ||
				   span_starts(span_of(text.end - 3, 3), "min")))
		text.end -= 2;
	if (!span_empty(text) && time_parse(text, 0, 86400 * SECOND_US, &number) == 0)
		*duration_us = number;
}

void oomd_settings_read(struct facts *facts, struct oomd_settings *out)
{
	struct config config = { 0 };

	*out = (struct oomd_settings){ .swap_centi = DEFAULT_SWAP_CENTI,
				       .pressure_centi = DEFAULT_PRESSURE_CENTI,
				       .duration_us = DEFAULT_DURATION_US };
	if (conf_read(&facts->reader, "systemd/oomd.conf", &config) < 0)
		return;
	take_centi(config_find(&config, "OOM", "SwapUsedLimit"), &out->swap_centi);
	out->row = config_find(&config, "OOM", "DefaultMemoryPressureLimit");
	take_centi(out->row, &out->pressure_centi);
	take_duration(config_find(&config, "OOM", "DefaultMemoryPressureDurationSec"),
		      &out->duration_us);
}

const char *unit_section(const char *unit)
{
	const char *type = strrchr(unit, '.');

	if (type && strcmp(type, ".slice") == 0)
		return "Slice";
	if (type && strcmp(type, ".service") == 0)
		return "Service";
	if (type && strcmp(type, ".scope") == 0)
		return "Scope";
	return "";
}

static bool says(const struct config_row *row, const char *value)
{
	return row && strcmp(row->value, value) == 0;
}

/* One unit on the way: the innermost that is watched counts. */
static void take_unit(struct facts *facts, const struct oomd_settings *settings,
		      const char *name, struct oomd_reach *out)
{
	const struct unit_file *unit = facts_unit(facts, name);
	const char *section = unit_section(name);
	const struct config_row *pressure =
		unit_find(unit, section, "ManagedOOMMemoryPressure");
	const struct config_row *swap = unit_find(unit, section, "ManagedOOMSwap");

	if (unit_find(unit, section, "OOMRules"))
		out->rules_of = unit->name;
	out->omitted = says(unit_find(unit, section, "ManagedOOMPreference"), "omit");
	if (says(swap, "kill")) {
		out->swap_of = unit->name;
		out->row = out->row ? out->row : swap;
	}
	/* The root cgroup counts no reclaim of its own, which systemd-oomd waits for. */
	if (!says(pressure, "kill") || strcmp(name, "-.slice") == 0)
		return;
	out->pressure_of = unit->name;
	out->row = pressure;
	out->pressure_centi = settings->pressure_centi;
	out->duration_us = settings->duration_us;
	take_centi(unit_find(unit, section, "ManagedOOMMemoryPressureLimit"),
		   &out->pressure_centi);
	take_duration(unit_find(unit, section, "ManagedOOMMemoryPressureDurationSec"),
		      &out->duration_us);
}

/* What lies below user@UID.service are units of the user's own manager. */
void oomd_reach_read(struct facts *facts, const struct oomd_settings *settings,
		     const char *path, struct oomd_reach *out)
{
	struct span rest = span_cstr(path);
	struct span step;
	char name[256];

	*out = (struct oomd_reach){ 0 };
	take_unit(facts, settings, "-.slice", out);
	while (span_cut(&rest, '/', &step)) {
		if (!span_copy(step, name, sizeof(name)) || *unit_section(name) == '\0')
			continue;
		take_unit(facts, settings, name, out);
		if (span_starts(step, "user@"))
			return;
	}
}
