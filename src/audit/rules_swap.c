#include "audit/disks.h"
#include "audit/knob.h"
#include "audit/rules.h"

#define GIB ((uint64_t)1 << 30)

static const struct devices *devices_of(const struct audit *audit)
{
	return audit->facts->snapshot->devices;
}

/* Whether there is swap is known; else a result says what is missing. */
static bool swaps_are_known(struct audit *audit)
{
	enum state state = devices_of(audit)->swap_state;

	if (state == OK)
		return true;
	if (state == ABSENT && !audit->facts->is_foreign)
		audit_skip(audit, "this kernel is built without swap");
	else
		audit_unknown(audit, "",
			      audit->facts->is_foreign ? "a look at the running machine" :
							 "root",
			      "the list of swap areas can't be read");
	return false;
}

/* Mebibytes as a person would choose them: whole GiB above one. */
static uint64_t swap_size(uint64_t ram)
{
	uint64_t size = ram / 4;

	if (size < GIB)
		return MAX(size / (256 * MIB) * (256 * MIB), 512 * MIB);
	return MIN(size / GIB * GIB, 8 * GIB);
}

static bool has_generator(struct facts *facts)
{
	return facts_exists(facts, "usr/lib/systemd/system-generators/zram-generator") ||
	       facts_exists(facts, "lib/systemd/system-generators/zram-generator");
}

static void offer_zram(struct result *result)
{
	result_fix(result,
		   (struct fix_step){ .kind = FIX_CONF,
				      .name = "systemd/zram-generator.conf",
				      .section = "zram0",
				      .key = "zram-size",
				      .value = "min(ram / 2, 4096)",
				      .computed = "half of RAM, at most 4 GiB: zram-generator "
						  "is installed" });
}

static void offer_file(struct audit *audit, struct result *result)
{
	struct facts *facts = audit->facts;
	uint64_t ram = facts_ram(facts);

	result_fix(result,
		   (struct fix_step){
			   .kind = FIX_SWAPFILE,
			   .name = "swapfile",
			   .value = facts_format(facts, "%llu",
						 (unsigned long long)swap_size(ram)),
			   .computed = facts_format(facts,
						    "%llu MiB: a quarter of %llu MiB of RAM, "
						    "at least 512 MiB, at most 8 GiB",
						    (unsigned long long)(swap_size(ram) / MIB),
						    (unsigned long long)(ram / MIB)) });
}

static bool is_node(struct facts *facts)
{
	return role_of(facts_roles(facts), ROLE_KUBELET) != NULL;
}

static void no_swap(struct audit *audit)
{
	struct facts *facts = audit->facts;
	uint64_t ram = facts_ram(facts);
	struct result *result;

	if (!knob_is_ours(audit) || !swaps_are_known(audit) || devices_of(audit)->swaps > 0)
		return;
	if (is_node(facts)) {
		audit_note(audit, "",
			   "there is no swap, as a node of Kubernetes has it unless the "
			   "kubelet is told otherwise (K8S-001)");
		return;
	}
	result = audit_fail(audit, "",
			    "there is no swap: when memory runs short the kernel can only "
			    "evict files, the code of running programs among them");
	result_cite(audit, result, "swap areas", "proc/swaps", "none");
	result_cite(audit, result, "RAM", "proc/meminfo", "%llu MiB",
		    (unsigned long long)(ram / MIB));
	if (facts->snapshot->state[VM_OOM_KILL] == OK &&
	    facts->snapshot->value[VM_OOM_KILL] > 0)
		result_cite(audit, result, "oom_kill", "proc/vmstat", "%llu since boot",
			    (unsigned long long)facts->snapshot->value[VM_OOM_KILL]);
	if (has_generator(facts))
		offer_zram(result);
	else if (ram > 0)
		offer_file(audit, result);
}

/* What a swap area lies on, looked at once for each rule. */
static struct storage storage_at(struct audit *audit, size_t i)
{
	return storage_of(audit->facts, devices_of(audit)->swap[i].name);
}

static bool shares_root(struct facts *facts, const struct storage *swap)
{
	struct storage root = storage_of(facts, "/");
	struct storage log = storage_of(facts, "/var/log");

	return storage_same_disk(swap, &root) || storage_same_disk(swap, &log);
}

static void on_rotating(struct audit *audit)
{
	if (!swaps_are_known(audit))
		return;
	if (devices_of(audit)->swaps == 0)
		audit_skip(audit, "there is no swap");
	for (size_t i = 0; i < devices_of(audit)->swaps; i++) {
		const char *name = devices_of(audit)->swap[i].name;
		struct storage storage = storage_at(audit, i);
		struct result *result;

		if (storage.is_zram || storage.network || storage.is_zvol)
			continue;
		if (storage.rotational == ANSWER_UNKNOWN) {
			audit_unknown(
				audit, name, "refault lab, or the host of this machine",
				storage.virtual_disk == ANSWER_YES ?
					"a virtual disk says that it rotates, which is no "
					"evidence" :
					"what it lies on does not say whether it rotates");
			continue;
		}
		if (storage.rotational != ANSWER_YES)
			continue;
		result = audit_fail(audit, name,
				    "swap lies on a rotating disk (%s): each page that "
				    "comes back costs a seek",
				    storage.disk);
		result_level(result,
			     shares_root(audit->facts, &storage) ? LEVEL_HIGH : LEVEL_MED);
		result_cite(audit, result, "rotational",
			    facts_format(audit->facts, "sys/block/%s/queue/rotational",
					 storage.disk),
			    "1");
		result_fix(result,
			   (struct fix_step){
				   .kind = FIX_PRINT,
				   .value = "move swap to an SSD, or put zswap in front of it "
					    "(/sys/module/zswap/parameters/enabled)" });
	}
}

static void on_network(struct audit *audit)
{
	if (!swaps_are_known(audit))
		return;
	if (devices_of(audit)->swaps == 0)
		audit_skip(audit, "there is no swap");
	for (size_t i = 0; i < devices_of(audit)->swaps; i++) {
		const char *name = devices_of(audit)->swap[i].name;
		struct storage storage = storage_at(audit, i);
		struct result *result;

		if (storage.is_zvol)
			result = audit_fail(audit, name,
					    "swap lies on ZFS, which needs memory to write "
					    "a page out: the machine may stand still");
		else if (storage.network)
			result = audit_fail(audit, name,
					    "swap lies on network storage (%s), which needs "
					    "memory to write a page out",
					    storage.network);
		else if (storage.is_cloud)
			result = audit_note(audit, name,
					    "swap lies on a cloud's block device, which "
					    "answers in milliseconds and by quota");
		else if (!*storage.disk)
			result = audit_unknown(audit, name, "a readable /sys/block",
					       "what it lies on could not be found");
		else
			continue;
		if (result->state == AUDIT_FAIL)
			result_fix(
				result,
				(struct fix_step){
					.kind = FIX_PRINT,
					.value = facts_format(
						audit->facts,
						"swapoff %s and swap to a local disk or zram",
						name) });
	}
}

static void cite_priority(struct audit *audit, struct result *result,
			  const struct swap_area *area)
{
	result_cite(audit, result, facts_format(audit->facts, "priority of %s", area->name),
		    "proc/swaps", "%lld", (long long)area->priority);
}

/* A slower area that is filled before, or in turn with, a faster one. */
static void judge_pair(struct audit *audit, size_t slow, size_t fast)
{
	const struct swap_area *slower = &devices_of(audit)->swap[slow];
	const struct swap_area *faster = &devices_of(audit)->swap[fast];
	struct result *result;

	if (slower->priority < faster->priority)
		return;
	result = audit_fail(
		audit, slower->name,
		slower->priority == faster->priority ?
			"it is used in turn with %s, which is faster: half of all pages wait "
			"for the slower one" :
			"it is filled before %s, which is faster",
		faster->name);
	cite_priority(audit, result, slower);
	cite_priority(audit, result, faster);
	if (strncmp(faster->name, "/dev/zram", 9) == 0 && has_generator(audit->facts))
		result_fix(result,
			   (struct fix_step){
				   .kind = FIX_CONF,
				   .name = "systemd/zram-generator.conf",
				   .section = faster->name + 5,
				   .key = "swap-priority",
				   .value = "100",
				   .computed = "above what the kernel gives by itself" });
	else
		result_fix(result,
			   (struct fix_step){
				   .kind = FIX_PRINT,
				   .value = facts_format(
					   audit->facts,
					   "give %s pri=100 and %s pri=10 in /etc/fstab",
					   faster->name, slower->name) });
}

static void bad_order(struct audit *audit)
{
	const struct devices *devices = devices_of(audit);
	int speed[SWAPS_MAX];

	if (!swaps_are_known(audit))
		return;
	if (devices->swaps < 2) {
		audit_skip(audit, "there are not two swap areas");
		return;
	}
	for (size_t i = 0; i < devices->swaps; i++) {
		struct storage storage = storage_at(audit, i);

		speed[i] = storage_speed(&storage);
		if (speed[i] < 0)
			audit_unknown(audit, devices->swap[i].name,
				      "refault lab, or the host of this machine",
				      "how fast it is can't be told");
	}
	for (size_t i = 0; i < devices->swaps; i++)
		for (size_t j = 0; j < devices->swaps; j++)
			if (speed[i] >= 0 && speed[i] < speed[j])
				judge_pair(audit, i, j);
}

static bool is_zram(const struct swap_area *area)
{
	return strncmp(area->name, "/dev/zram", 9) == 0;
}

/* It is nearly full, and the disk behind it is in use: what is hot now goes to the disk. */
static bool is_inverted(const struct swap_area *zram, const struct swap_area *disk)
{
	return zram->state[SWAP_USED] == OK && zram->state[SWAP_SIZE] == OK &&
	       disk->state[SWAP_USED] == OK && disk->value[SWAP_USED] > 0 &&
	       zram->value[SWAP_USED] > zram->value[SWAP_SIZE] / 10 * 9;
}

static void judge_front(struct audit *audit, const struct swap_area *zram,
			const struct swap_area *disk)
{
	bool inverted = is_inverted(zram, disk);
	struct result *result = audit_warn(
		audit, zram->name,
		inverted ?
			"it is full of what was cold first, and what is needed now goes to %s" :
			"it fills with what is coldest and has no way out; what comes later "
			"goes to %s",
		disk->name);

	result_level(result, inverted ? LEVEL_HIGH : LEVEL_MED);
	cite_priority(audit, result, zram);
	cite_priority(audit, result, disk);
	result_cite(audit, result, "in use", "proc/swaps", "%llu of %llu MiB of %s",
		    (unsigned long long)(zram->value[SWAP_USED] / MIB),
		    (unsigned long long)(zram->value[SWAP_SIZE] / MIB), zram->name);
	result_fix(result,
		   (struct fix_step){
			   .kind = FIX_PRINT,
			   .value = "keep one: zswap in front of the disk (it evicts what "
				    "is oldest by itself), or zram alone with a guard" });
}

static void zram_before_disk(struct audit *audit)
{
	const struct devices *devices = devices_of(audit);

	if (!swaps_are_known(audit))
		return;
	for (size_t i = 0; i < devices->swaps; i++)
		for (size_t j = 0; j < devices->swaps; j++)
			if (is_zram(&devices->swap[i]) && !is_zram(&devices->swap[j]) &&
			    devices->swap[i].priority > devices->swap[j].priority)
				judge_front(audit, &devices->swap[i], &devices->swap[j]);
}

/* The last part of a path: "/dev/vda2" and "vda2", "/swapfile" and "swapfile". */
static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* UUID= and LABEL= lead to a device by a link of udev; what that is, or NULL. */
static const char *resolved(struct facts *facts, const char *source)
{
	static const struct {
		const char *prefix;
		const char *folder;
	} links[] = { { "UUID=", "dev/disk/by-uuid" },
		      { "LABEL=", "dev/disk/by-label" },
		      { "PARTUUID=", "dev/disk/by-partuuid" },
		      { "PARTLABEL=", "dev/disk/by-partlabel" } };

	for (size_t i = 0; i < ARRAY_LEN(links); i++) {
		size_t length = strlen(links[i].prefix);
		const char *link;

		if (strncmp(source, links[i].prefix, length) != 0)
			continue;
		link = facts_link(
			facts, facts_format(facts, "%s/%s", links[i].folder, source + length));
		return *link ? last_part(link) : NULL;
	}
	return last_part(source);
}

static bool is_active(const struct audit *audit, const char *name)
{
	const struct devices *devices = devices_of(audit);

	for (size_t i = 0; i < devices->swaps; i++)
		if (strcmp(last_part(devices->swap[i].name), name) == 0)
			return true;
	return false;
}

/* A row whose device can't be told is taken to be active where as many areas are there as rows.
 */
static void judge_row(struct audit *audit, const struct fs_row *row, bool enough)
{
	struct facts *facts = audit->facts;
	const char *name = resolved(facts, row->source);
	struct result *result;

	if (name ? is_active(audit, name) : enough)
		return;
	if (fs_option(&facts->reader, row->options, "noauto"))
		result = audit_warn(audit, row->source,
				    "swap is set up with noauto, so nothing activates it");
	else
		result = audit_fail(audit, row->source, "swap is set up and not active");
	result_cite(audit, result, "swap", facts_format(facts, "%s:%u", row->file, row->line),
		    "%s", row->options);
	result_fix(result,
		   (struct fix_step){
			   .kind = FIX_PRINT,
			   .value = "systemctl list-units --all --type=swap tells which "
				    "unit failed; then correct its line in /etc/fstab" });
}

static void switched_off(struct audit *audit, const char *parameter, const char *what)
{
	const struct config_row *row = config_find(facts_cmdline(audit->facts), "", parameter);
	struct result *result;

	if (!row || (strcmp(row->value, "0") != 0 && strcmp(row->value, "no") != 0))
		return;
	result =
		audit_fail(audit, parameter, "the kernel's command line switches %s off", what);
	result_cite(audit, result, parameter, row->file, "%s", row->value);
	result_fix(result, (struct fix_step){
				   .kind = FIX_PRINT,
				   .value = facts_format(audit->facts,
							 "take %s=%s off the kernel's command "
							 "line and boot",
							 parameter, row->value) });
}

static void zram_missing(struct audit *audit)
{
	struct config config = { 0 };
	struct result *result;

	if (!has_generator(audit->facts) ||
	    conf_read(&audit->facts->reader, "systemd/zram-generator.conf", &config) < 0)
		return;
	for (size_t i = 0; i < config.rows; i++) {
		const char *device = config.row[i].section;

		if (strncmp(device, "zram", 4) != 0 || is_active(audit, device) ||
		    (i > 0 && strcmp(config.row[i - 1].section, device) == 0) ||
		    config_find(&config, device, "mount-point") ||
		    config_find(&config, device, "fs-type"))
			continue;
		result = audit_fail(audit, device,
				    "zram-generator is told to make it, and it is not active");
		result_cite(audit, result, device,
			    facts_format(audit->facts, "%s:%u", config.row[i].file,
					 config.row[i].line),
			    "%s=%s", config.row[i].key, config.row[i].value);
		result_fix(result,
			   (struct fix_step){
				   .kind = FIX_PRINT,
				   .value = facts_format(
					   audit->facts,
					   "systemctl status systemd-zram-setup@%s "
					   "(kernels for clouds may lack the module zram)",
					   device) });
	}
}

static void inactive(struct audit *audit)
{
	const struct fs_table *table = facts_fstab(audit->facts);
	size_t configured = 0;

	if (!knob_is_ours(audit) || !swaps_are_known(audit))
		return;
	if (table->notes.notes > 0)
		audit_unknown(audit, "etc/fstab", "root", "%s: %s", table->notes.note[0].file,
			      table->notes.note[0].what);
	for (size_t i = 0; i < table->rows; i++)
		configured += strcmp(table->row[i].type, "swap") == 0;
	for (size_t i = 0; i < table->rows; i++)
		if (strcmp(table->row[i].type, "swap") == 0)
			judge_row(audit, &table->row[i],
				  devices_of(audit)->swaps >= configured);
	switched_off(audit, "systemd.swap", "swap");
	switched_off(audit, "systemd.zram", "zram");
	zram_missing(audit);
}

static const struct rule RULES[] = {
	{
		.id = "SWAP-001",
		.title = "There is no swap",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/proc/swaps, /proc/meminfo",
		.why = "Without swap no anonymous memory can be evicted, so the kernel drops "
		       "the code of "
		       "running programs and reads it back. Measured on 1 GiB: a leak of 20 "
		       "MB/s froze the "
		       "machine for 13 s, one of 1 MB/s for 78 s and one of 0.25 MB/s for 273 "
		       "s before the "
		       "OOM killer came; with a swap file of 1 GB the second did no harm in "
		       "600 s. Swap is "
		       "no RAM: what is needed all the time has to fit.",
		.unless = "It is a node of Kubernetes whose kubelet wants none (K8S-001), or a "
			  "container, "
			  "which has the swap of its host.",
		.fix = "Make a swap file of a quarter of RAM, or a zram device where "
		       "zram-generator is "
		       "installed.",
		.revert = "refault check --revert: swapoff, when memory has room for what is "
			  "in it, and "
			  "delete the file and its unit.",
		.source = "systemd-oomd(8), 257; docs/EXPERIMENTS.md, articles A and B; "
			  "PostgreSQL 17, "
			  "Managing Kernel Resources; Redis 7 administration guide",
		.checked = "2026-12-01",
		.test = no_swap,
	},
	{
		.id = "SWAP-003",
		.title = "Swap lies on a rotating disk",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "swap device",
		.reads = "/proc/swaps, /sys/block/*/queue/rotational, /sys/block/*/slaves",
		.why = "Each page that comes back is a random read of about 10 ms, and the "
		       "speed of the "
		       "device sets the length of a stall. Where root or logs are on the same "
		       "disk, they "
		       "wait too.",
		.unless = "The disk is virtual: its flag is what the host happens to say.",
		.fix = "Move swap to an SSD, or put zswap in front of it.",
		.revert = "Move swap back to where it was.",
		.source = "Kubernetes 1.34 documentation, swap memory management; "
			  "docs/EXPERIMENTS.md, "
			  "articles A and E",
		.checked = "2026-12-01",
		.test = on_rotating,
	},
	{
		.id = "SWAP-004",
		.title = "Swap lies on network storage or ZFS",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "swap device",
		.reads = "/proc/swaps, /proc/self/mountinfo, /sys/block",
		.why = "To write a page out, the network or ZFS needs memory itself, just when "
		       "there is "
		       "none: the machine may stand still. Measured by others: what takes 5 ms "
		       "took 105 ms "
		       "with swap on NVMe and 903 ms on a network volume.",
		.unless = "It is a cloud's block device, which is only noted.",
		.fix = "Swap to a local disk, or to zram.",
		.revert = "Put the line in /etc/fstab back.",
		.source = "openzfs/zfs issue 7734; docs/EXPERIMENTS.md, article E",
		.checked = "2026-12-01",
		.test = on_network,
	},
	{
		.id = "SWAP-006",
		.title = "A slow swap area is used before a faster one",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "swap device",
		.reads = "/proc/swaps, /sys/block",
		.why = "The area with the highest priority is filled first, and areas with the "
		       "same priority "
		       "in turn. What the kernel gives by itself falls in the order of "
		       "activation, so a disk "
		       "that came first is before zram.",
		.fix = "Give the faster area the higher priority: swap-priority of "
		       "zram-generator, pri= in "
		       "/etc/fstab.",
		.revert = "Delete the line, and swapoff and swapon the area.",
		.source =
			"swapon(2) and swapon(8), util-linux 2.41; zram-generator.conf(5), 1.2",
		.checked = "2026-12-01",
		.test = bad_order,
	},
	{
		.id = "SWAP-007",
		.title = "zram lies in front of a disk",
		.level = LEVEL_MED,
		.grade = GRADE_B,
		.scope = "swap device",
		.reads = "/proc/swaps",
		.why = "zram fills with the pages that were cold first and has no way out: "
		       "when it is full, "
		       "hotter pages go to the slow disk. zswap in front of the disk evicts "
		       "its oldest pages "
		       "by itself.",
		.fix = "Keep one: zswap on the disk's swap, or zram alone with a guard.",
		.revert = "Set up the other one again.",
		.source = "docs/EXPERIMENTS.md, article E; "
			  "Documentation/admin-guide/mm/zswap.rst, 6.12; "
			  "C. Down, Debunking zswap and zram myths, 2026-03-24 (summaries)",
		.checked = "2026-12-01",
		.test = zram_before_disk,
	},
	{
		.id = "SWAP-012",
		.title = "Swap is set up and not active",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/etc/fstab, /proc/swaps, /proc/cmdline, zram-generator.conf, "
			 "/dev/disk",
		.why = "A UUID that changed with the disk, a masked unit, a missing module: "
		       "who set the "
		       "machine up believes in swap that is not there.",
		.fix = "Look at the unit that failed and correct its line.",
		.revert = "Put the line back as it was.",
		.source = "systemd-fstab-generator(8), 257; zram-generator(8), 1.2",
		.checked = "2026-12-01",
		.test = inactive,
	},
};

const struct rules rules_swap = { RULES, ARRAY_LEN(RULES) };
