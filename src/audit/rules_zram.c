#include "audit/knob.h"
#include "audit/rules.h"

#define ZSWAP "sys/module/zswap/parameters/enabled"

static const struct devices *devices_of(const struct audit *audit)
{
	return audit->facts->snapshot->devices;
}

/* There are zram devices to look at; else a result says why not. */
static bool has_zrams(struct audit *audit)
{
	const struct devices *devices = devices_of(audit);

	if (!knob_is_ours(audit))
		return false;
	if (devices->zrams > 0)
		return true;
	if (devices->zram_state == DENIED || devices->zram_state == GARBLED ||
	    audit->facts->is_foreign)
		audit_unknown(audit, "", "a readable /sys/block",
			      "whether there is zram is not known");
	else
		audit_skip(audit, "there is no zram device");
	return false;
}

static bool has_generator_conf(struct facts *facts)
{
	return facts_exists(facts, "usr/lib/systemd/system-generators/zram-generator") ||
	       facts_exists(facts, "lib/systemd/system-generators/zram-generator");
}

static void fix_generator(struct audit *audit, struct result *result, const char *device,
			  const char *key, const char *value)
{
	bool has = has_generator_conf(audit->facts);

	result_fix(result,
		   (struct fix_step){
			   .kind = has ? FIX_CONF : FIX_PRINT,
			   .name = "systemd/zram-generator.conf",
			   .section = device,
			   .key = key,
			   .value = has ? value :
					  facts_format(audit->facts,
						       "set %s = %s where %s is made", key,
						       value, device),
			   .computed = "of the RAM that there is when the machine boots" });
}

static void too_large(struct audit *audit)
{
	uint64_t ram = facts_ram(audit->facts);

	if (!has_zrams(audit))
		return;
	for (size_t i = 0; i < devices_of(audit)->zrams; i++) {
		const struct zram *zram = &devices_of(audit)->zram[i];
		uint64_t size = zram->value[ZRAM_DISKSIZE];
		struct result *result;

		if (zram->state[ZRAM_DISKSIZE] != OK || ram == 0) {
			audit_unknown(audit, zram->name, "root", "its size can't be read");
			continue;
		}
		if (size <= 2 * ram)
			continue;
		result = audit_fail(audit, zram->name,
				    "%llu MiB are more than twice the %llu MiB of RAM, "
				    "which no compression reaches",
				    (unsigned long long)(size / MIB),
				    (unsigned long long)(ram / MIB));
		result_cite(audit, result, "disksize",
			    facts_format(audit->facts, "sys/devices/virtual/block/%s/disksize",
					 zram->name),
			    "%llu MiB", (unsigned long long)(size / MIB));
		fix_generator(audit, result, zram->name, "zram-size", "min(ram / 2, 4096)");
	}
}

static void unbounded(struct audit *audit)
{
	uint64_t ram = facts_ram(audit->facts);

	if (!has_zrams(audit))
		return;
	for (size_t i = 0; i < devices_of(audit)->zrams; i++) {
		const struct zram *zram = &devices_of(audit)->zram[i];
		uint64_t size = zram->value[ZRAM_DISKSIZE];
		struct result *result;

		if (zram->state[ZRAM_LIMIT] != OK || zram->state[ZRAM_DISKSIZE] != OK ||
		    ram == 0) {
			audit_unknown(audit, zram->name, "root", "its limit can't be read");
			continue;
		}
		if (zram->value[ZRAM_LIMIT] > 0 || size <= ram / 2)
			continue;
		result = audit_fail(audit, zram->name,
				    "what does not compress may take %llu of %llu MiB of "
				    "RAM: it has no limit",
				    (unsigned long long)(MIN(size, ram) / MIB),
				    (unsigned long long)(ram / MIB));
		result_cite(audit, result, "mem_limit",
			    facts_format(audit->facts, "sys/devices/virtual/block/%s/mm_stat",
					 zram->name),
			    "none");
		fix_generator(audit, result, zram->name, "zram-resident-limit", "ram / 3");
	}
}

#define DAY_US (86400ull * SECOND_US)

/* The third number of bd_stat: what was written back, ever. */
static bool wrote_back(const char *bd_stat)
{
	struct span rest = span_cstr(bd_stat);
	struct span word;
	uint64_t number = 0;

	for (int i = 0; i < 3; i++)
		if (!span_word(&rest, &word) || span_u64(word, &number) < 0)
			return false;
	return number > 0;
}

/* Something on this machine that writes to the file which asks for it. */
static bool somebody_asks(struct facts *facts)
{
	const struct unit_names *units = facts_units(facts);

	for (size_t i = 0; i < units->count; i++)
		if (strstr(units->name[i], "zram") && strstr(units->name[i], "writeback"))
			return true;
	return false;
}

static void judge_writeback(struct audit *audit, const char *device)
{
	struct facts *facts = audit->facts;
	const char *folder = facts_format(facts, "sys/devices/virtual/block/%s", device);
	struct fact backing = fact_text(facts, facts_format(facts, "%s/backing_dev", folder));
	struct fact stat = fact_text(facts, facts_format(facts, "%s/bd_stat", folder));
	struct fact limited =
		fact_text(facts, facts_format(facts, "%s/writeback_limit_enable", folder));
	struct fact limit = fact_text(facts, facts_format(facts, "%s/writeback_limit", folder));
	bool never = limited.state == OK && strcmp(limited.text, "1") == 0 &&
		     limit.state == OK && strcmp(limit.text, "0") == 0;
	struct result *result;

	if (backing.state == DENIED || stat.state == DENIED) {
		audit_unknown(audit, device, "root", "whether it writes back can't be read");
		return;
	}
	if (backing.state != OK || strcmp(backing.text, "none") == 0 || stat.state != OK ||
	    wrote_back(stat.text))
		return;
	if (!never && (somebody_asks(facts) || !facts->snapshot->host.has_time ||
		       facts->snapshot->host.at_us < DAY_US))
		return;
	result = audit_fail(audit, device,
			    never ? "its limit of writing back is 0, so it never does" :
				    "it has a disk to write back to, and nobody asks it to");
	result_cite_fact(result, "backing_dev", &backing);
	result_cite_fact(result, "bd_stat", &stat);
	result_fix(
		result,
		(struct fix_step){
			.kind = FIX_PRINT,
			.value = facts_format(
				facts,
				"a timer that runs: echo 86400 >/sys/block/%s/idle; echo idle "
				">/sys/block/%s/writeback; or zswap instead of zram",
				device, device) });
}

static void never_written_back(struct audit *audit)
{
	if (!has_zrams(audit))
		return;
	for (size_t i = 0; i < devices_of(audit)->zrams; i++)
		judge_writeback(audit, devices_of(audit)->zram[i].name);
}

static const char *zram_swap(const struct devices *devices)
{
	for (size_t i = 0; i < devices->swaps; i++)
		if (strncmp(devices->swap[i].name, "/dev/zram", 9) == 0)
			return devices->swap[i].name;
	return NULL;
}

/* zswap is on, and whether there is swap is known; else a result says so. */
static bool zswap_is_on(struct audit *audit)
{
	struct fact zswap = fact_text(audit->facts, ZSWAP);

	if (!knob_is_ours(audit) ||
	    !audit_has(audit, &zswap, "this kernel is built without zswap"))
		return false;
	if (strcmp(zswap.text, "Y") != 0 && strcmp(zswap.text, "1") != 0) {
		audit_skip(audit, "zswap is off");
		return false;
	}
	if (devices_of(audit)->swap_state != OK)
		audit_unknown(audit, "", "root", "the list of swap areas can't be read");
	return devices_of(audit)->swap_state == OK;
}

static void twice(struct audit *audit)
{
	const char *zram = zswap_is_on(audit) ? zram_swap(devices_of(audit)) : NULL;
	struct result *result;

	if (!zram)
		return;
	result = audit_fail(audit, zram,
			    "what goes to it is compressed by zswap before: zram stays nearly "
			    "empty, and its numbers mislead");
	knob_cite(audit, result, ZSWAP);
	knob_fix(audit, result, ZSWAP, "N", "zram compresses already");
}

static void for_nothing(struct audit *audit)
{
	struct result *result;

	if (!zswap_is_on(audit) || devices_of(audit)->swaps > 0)
		return;
	result =
		audit_fail(audit, "", "zswap is on and has no swap behind it: it does nothing");
	knob_cite(audit, result, ZSWAP);
	result_cite(audit, result, "swap areas", "proc/swaps", "none");
	result_fix(result,
		   (struct fix_step){
			   .kind = FIX_PRINT,
			   .value = "give it a swap file (SWAP-001): zswap is a cache in "
				    "front of one" });
}

static const struct rule RULES[] = {
	{
		.id = "ZRAM-001",
		.title = "A zram device is larger than twice RAM",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "swap device",
		.reads = "/sys/block/zram*/disksize, /proc/meminfo",
		.why = "Pages rarely compress to less than half, so the rest of the size can't "
		       "be used; and "
		       "a thousandth of it is taken for its tables, also while it is empty.",
		.fix = "Set zram-size = min(ram / 2, 4096) for zram-generator.",
		.revert = "Delete the drop-in, and set the device up again.",
		.source = "Documentation/admin-guide/blockdev/zram.rst, 6.12",
		.checked = "2026-12-01",
		.test = too_large,
	},
	{
		.id = "ZRAM-002",
		.title = "zram may take the memory that it is to save",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "swap device",
		.reads = "/sys/block/zram*/mm_stat, /sys/block/zram*/disksize",
		.why = "Data that does not compress is stored as it is. Without a limit, a "
		       "device larger than "
		       "half of RAM may take more than half of RAM for it.",
		.unless = "It is not larger than half of RAM.",
		.fix = "Set zram-resident-limit = ram / 3 for zram-generator.",
		.revert = "Delete the drop-in, and set the device up again.",
		.source = "Documentation/admin-guide/blockdev/zram.rst, 6.12; "
			  "zram-generator.conf(5), 1.2; "
			  "docs/EXPERIMENTS.md, article E",
		.checked = "2026-12-01",
		.test = unbounded,
	},
	{
		.id = "ZRAM-006",
		.title = "zram has a disk to write back to, and nobody asks it to",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "swap device",
		.reads = "/sys/block/zram*/backing_dev, bd_stat, writeback_limit and "
			 "writeback_limit_enable, units",
		.why = "Writing back is done only on request, by a write to the file "
		       "writeback; it does not "
		       "happen by itself under pressure.",
		.unless = "The machine is up for less than a day, or a unit asks for it.",
		.fix = "Add a timer that marks what is idle and writes it back, or use zswap.",
		.revert = "Delete the timer that was added.",
		.source = "Documentation/admin-guide/blockdev/zram.rst, 6.12",
		.checked = "2026-12-01",
		.test = never_written_back,
	},
	{
		.id = "ZRAM-007",
		.title = "zram and zswap are both on",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "swap device",
		.reads = "/sys/module/zswap/parameters/enabled, /proc/swaps",
		.why = "zswap takes the pages first, compresses them, and hands on only what "
		       "it evicts: zram "
		       "stays nearly empty and what it evicts is compressed once more.",
		.fix = "Switch zswap off, by tmpfiles.d, or by zswap.enabled=0 on the command "
		       "line.",
		.revert = "Delete the line and write Y back.",
		.source = "Documentation/admin-guide/mm/zswap.rst, 6.12; archinstall issue 881",
		.checked = "2026-12-01",
		.test = twice,
	},
	{
		.id = "ZSWAP-002",
		.title = "zswap is on and has no swap behind it",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/sys/module/zswap/parameters/enabled, /proc/swaps",
		.why = "zswap is a compressed cache for pages on their way to swap: without "
		       "swap there are "
		       "none, and who switched it on believes to be covered.",
		.fix = "Give it a swap file (SWAP-001).",
		.revert = "Take the swap file away again.",
		.source = "Documentation/admin-guide/mm/zswap.rst, 6.12",
		.checked = "2026-12-01",
		.test = for_nothing,
	},
};

const struct rules rules_zram = { RULES, ARRAY_LEN(RULES) };
