#include "audit/knob.h"
#include "audit/origin.h"
#include "audit/rules.h"
#include "config/sysctl.h"

#define OURS "etc/sysctl.d/90-refault.conf"

static bool is_memory_key(const char *key)
{
	return strncmp(key, "vm/", 3) == 0 || strncmp(key, "kernel/", 7) == 0;
}

static void legacy_unread(struct audit *audit)
{
	struct config rows = { 0 };
	struct result *result = NULL;

	if (sysctl_legacy(&audit->facts->reader, &rows) < 0)
		return;
	if (rows.notes > 0) {
		audit_unknown(audit, "etc/sysctl.conf", "root", "it %s", rows.note[0].what);
		return;
	}
	for (size_t i = 0; i < rows.rows; i++) {
		const struct config_row *row = &rows.row[i];

		if (!is_memory_key(row->key))
			continue;
		if (!result)
			result = audit_fail(
				audit, "etc/sysctl.conf",
				"what it sets is lost at the next boot: nothing reads it then");
		result_cite(audit, result, row->key,
			    facts_format(audit->facts, "%s:%u", row->file, row->line), "%s",
			    row->value);
		result_fix(result,
			   (struct fix_step){ .kind = FIX_SYSCTL,
					      .key = row->key,
					      .value = row->value,
					      .computed = "as /etc/sysctl.conf has it" });
	}
}

/* Settings of memory, and what the kernel has them at; NULL where that depends on the machine.
 */
static const struct {
	const char *path;
	const char *usual;
} KNOBS[] = {
	{ "proc/sys/vm/swappiness", "60" },
	{ "proc/sys/vm/min_free_kbytes", NULL },
	{ "proc/sys/vm/watermark_scale_factor", "10" },
	{ "proc/sys/vm/watermark_boost_factor", "15000" },
	{ "proc/sys/vm/overcommit_memory", "0" },
	{ "proc/sys/vm/overcommit_ratio", "50" },
	{ "proc/sys/vm/page-cluster", "3" },
	{ "proc/sys/vm/vfs_cache_pressure", "100" },
	{ "proc/sys/vm/zone_reclaim_mode", "0" },
	{ "proc/sys/vm/dirty_ratio", NULL },
	{ "proc/sys/vm/dirty_background_ratio", NULL },
	{ "proc/sys/vm/max_map_count", "65530" },
	{ "proc/sys/vm/nr_hugepages", "0" },
	{ "proc/sys/vm/panic_on_oom", "0" },
	{ "sys/kernel/mm/lru_gen/min_ttl_ms", "0" },
	{ "sys/kernel/mm/transparent_hugepage/enabled", NULL },
	{ "sys/kernel/mm/transparent_hugepage/defrag", NULL },
	{ "sys/module/zswap/parameters/enabled", NULL },
};

static void judge_drift(struct audit *audit, const char *path, const char *usual)
{
	struct origin origin = origin_of(audit->facts, path);
	struct result *result;

	if (origin.running.state != OK)
		return;
	if (!origin.row) {
		if (!usual || strcmp(origin.running.text, usual) == 0)
			return;
		result = audit_warn(audit, path,
				    "is %s, which nothing sets at boot: it will be %s then",
				    origin.running.text, usual);
		knob_cite(audit, result, path);
		knob_fix(audit, result, path, origin.running.text, "what it is now");
		return;
	}
	if (origin.survives)
		return;
	result = audit_fail(audit, path, "is %s now and will be %s at the next boot (%s)",
			    origin.running.text, origin.next, origin.owner);
	knob_cite(audit, result, path);
	result_fix(result,
		   (struct fix_step){ .kind = FIX_PRINT,
				      .value = facts_format(
					      audit->facts,
					      "%s at %s: keep %s, or write it to /%s",
					      origin.next, origin_where(audit->facts, &origin),
					      origin.next, path) });
}

static void drift(struct audit *audit)
{
	size_t readable = 0;

	if (!knob_is_ours(audit))
		return;
	for (size_t i = 0; i < ARRAY_LEN(KNOBS); i++) {
		readable += fact_text(audit->facts, KNOBS[i].path).state == OK;
		judge_drift(audit, KNOBS[i].path, KNOBS[i].usual);
	}
	if (readable == 0)
		audit_unknown(audit, "", "a look at the running machine",
			      "no setting of the kernel can be read");
	else if (facts_sysctl(audit->facts)->notes > 0)
		audit_unknown(audit, facts_sysctl(audit->facts)->note[0].file, "root",
			      "it %s, so what it sets at boot is not known",
			      facts_sysctl(audit->facts)->note[0].what);
}

static void overridden(struct audit *audit)
{
	const struct config *rows = facts_sysctl(audit->facts);
	bool has_ours = false;

	for (size_t i = 0; i < rows->notes; i++)
		if (strcmp(rows->note[i].file, OURS) == 0) {
			audit_unknown(audit, OURS, "root", "it %s", rows->note[i].what);
			return;
		}
	for (size_t i = 0; i < rows->rows; i++) {
		const struct config_row *row = &rows->row[i];
		const struct config_row *winner;
		struct result *result;
		const char *where;

		if (strcmp(row->file, OURS) != 0)
			continue;
		has_ours = true;
		winner = sysctl_find(rows, row->key);
		if (!winner || strcmp(winner->file, OURS) == 0 ||
		    strcmp(winner->value, row->value) == 0)
			continue;
		where = facts_format(audit->facts, "%s:%u", winner->file, winner->line);
		result = audit_fail(audit, row->key, "refault sets %s, a later file sets %s",
				    row->value, winner->value);
		result_cite(audit, result, row->key, where, "%s", winner->value);
		result_fix(result, (struct fix_step){ .kind = FIX_PRINT,
						      .value = facts_format(audit->facts,
									    "take %s out of %s",
									    row->key, where) });
	}
	if (!has_ours)
		audit_skip(audit, "refault has written no settings");
}

/* How the kernel gets a parameter at the next boot on this machine. */
static const char *parameter_words(struct facts *facts, const char *parameter)
{
	if (facts_exists(facts, "usr/sbin/update-grub"))
		return facts_format(facts,
				    "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX %s\"' "
				    ">/etc/default/grub.d/90-refault.cfg && update-grub",
				    parameter);
	if (facts_exists(facts, "usr/sbin/grubby"))
		return facts_format(facts, "grubby --update-kernel=ALL --args=\"%s\"",
				    parameter);
	return facts_format(facts, "add %s to the kernel's command line and boot", parameter);
}

static bool psi_is_built(struct facts *facts)
{
	struct fact config = fact_text(
		facts, facts_format(facts, "boot/config-%s", facts->snapshot->host.release));

	return config.state != OK || !strstr(config.text, "# CONFIG_PSI is not set");
}

static void psi_off(struct audit *audit)
{
	struct facts *facts = audit->facts;
	struct fact psi = fact_text(facts, "proc/pressure/memory");
	struct result *result;

	if (psi.state == OK)
		return;
	if (facts->is_foreign || psi.state == DENIED || psi.state == GARBLED) {
		audit_has(audit, &psi, "");
		return;
	}
	if (!knob_is_ours(audit))
		return;
	result = audit_fail(audit, "",
			    "pressure is not measured: guards that need it can't act, and a "
			    "stall leaves no trace");
	result_cite_fact(result, "pressure", &psi);
	if (psi_is_built(facts))
		result_fix(result,
			   (struct fix_step){ .kind = FIX_PRINT,
					      .value = parameter_words(facts, "psi=1") });
	else
		result_fix(
			result,
			(struct fix_step){
				.kind = FIX_PRINT,
				.value = "install a kernel that is built with CONFIG_PSI=y" });
}

static const struct rule RULES[] = {
	{
		.id = "CONF-002",
		.title = "/etc/sysctl.conf sets memory, and nothing reads it at boot",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/etc/sysctl.conf, /etc/sysctl.d/99-sysctl.conf",
		.why = "Debian 13 has removed the link by which systemd read this file. sysctl "
		       "--system "
		       "still reads it, so a setting works when it is tried and is lost at the "
		       "next "
		       "boot; many vendors still tell people to edit it.",
		.unless = "A link in sysctl.d leads to it, or the init system is one that "
			  "reads it.",
		.fix = "Move the lines to a file of /etc/sysctl.d; the fix writes them to "
		       "90-refault.conf.",
		.revert = "Delete the lines of 90-refault.conf.",
		.source = "procps 4.0.4-9, systemd 257.13 and linux-sysctl-defaults 4.12.1 of "
			  "Debian 13; "
			  "sysctl.d(5), 257",
		.checked = "2026-12-01",
		.test = legacy_unread,
	},
	{
		.id = "CONF-003",
		.title = "A setting that runs is another one than that of the next boot",
		.level = LEVEL_MED,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/proc/sys/vm, /sys/kernel/mm, sysctl.d, tmpfiles.d, tuned, the "
			 "kernel's "
			 "command line",
		.why = "What was tried by hand is gone after a reboot, often months later and "
		       "in the "
		       "middle of an incident; what a file says has never been in force.",
		.fix = "Write the value that is meant to a file of sysctl.d or tmpfiles.d, or "
		       "set the "
		       "running one to what the file says.",
		.revert = "Delete the line that was written.",
		.source = "sysctl.d(5), tmpfiles.d(5), 257; tuned-profiles(7), 2.24",
		.checked = "2026-12-01",
		.test = drift,
	},
	{
		.id = "CONF-005",
		.title = "A later file takes back what refault has set",
		.level = LEVEL_LOW,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/etc/sysctl.d/90-refault.conf and the files behind it",
		.why = "Files of sysctl.d are read in the order of their names, and the last "
		       "one wins: "
		       "99-sysctl.conf of Debian 12 and others is behind 90-refault.conf.",
		.fix = "Take the line out of the later file; refault does not edit it.",
		.revert = "Put the line back into the later file.",
		.source = "sysctl.d(5), 257",
		.checked = "2026-12-01",
		.test = overridden,
	},
	{
		.id = "OBS-001",
		.title = "Pressure (PSI) is not measured on this kernel",
		.level = LEVEL_HIGH,
		.grade = GRADE_A,
		.scope = "host",
		.reads = "/proc/pressure/memory, /boot/config-RELEASE",
		.why = "systemd-oomd, the pressure metrics of the kubelet and the lower bound "
		       "of lost time "
		       "in refault need it. The RHEL family builds it and leaves it off.",
		.fix = "Boot with psi=1; the fix prints the command, and does not touch the "
		       "boot loader.",
		.revert = "Take psi=1 off the command line.",
		.source = "Documentation/accounting/psi.rst and "
			  "admin-guide/kernel-parameters.txt, 6.12",
		.checked = "2026-12-01",
		.test = psi_off,
	},
};

const struct rules rules_settings = { RULES, ARRAY_LEN(RULES) };
