#include "audit/disks.h"
#include "audit/killers.h"

static const enum guard_kind KILLERS[] = {
	GUARD_SYSTEMD_OOMD, GUARD_EARLYOOM, GUARD_OOMD, GUARD_NOHANG, GUARD_REFAULT,
};

/* It would act: now, or in a tree in which nothing runs, at the next boot. */
static const struct guard_found *acting(const struct audit *audit, const struct guards *guards,
					enum guard_kind kind)
{
	const struct guard_found *found = guard_of(guards, kind);

	if (!found || !found->acts || !killers_has(audit, guards, kind))
		return NULL;
	return found;
}

/* Swap that is missing, or so slow that a machine stands still over it. */
static bool is_slow(struct facts *facts)
{
	const struct devices *devices = facts->snapshot->devices;

	if (facts->snapshot->state[MI_SWAP_TOTAL] != OK)
		return false;
	if (facts->snapshot->value[MI_SWAP_TOTAL] == 0)
		return true;
	for (size_t i = 0; devices && i < devices->swaps; i++) {
		struct storage storage = storage_of(facts, devices->swap[i].name);

		if (storage.rotational == ANSWER_YES || storage.network)
			return true;
	}
	return false;
}

/* By itself the guard observes, and systemd-oomd watches nothing. */
static void fix_refault(struct result *result, bool is_running)
{
	result_fix(result, (struct fix_step){ .kind = FIX_CONF,
					      .name = "refault/guard.conf",
					      .section = "guard",
					      .key = "mode",
					      .value = "act" });
	if (is_running)
		result_fix(result,
			   (struct fix_step){ .kind = FIX_PRINT,
					      .value = "systemctl reload refault-guard" });
	else
		result_fix(result, (struct fix_step){ .kind = FIX_ENABLE,
						      .name = "refault-guard.service" });
}

static void fix_systemd(struct result *result)
{
	struct fix_step step = { .kind = FIX_UNIT,
				 .name = "system.slice",
				 .section = "Slice",
				 .key = "ManagedOOMMemoryPressure",
				 .value = "kill" };

	result_fix(result, step);
	step.key = "ManagedOOMMemoryPressureLimit";
	step.value = "60%";
	result_fix(result, step);
	result_fix(result,
		   (struct fix_step){ .kind = FIX_ENABLE, .name = "systemd-oomd.service" });
}

/* It starts only where pressure is measured and memory is on cgroup v2: see OOMD-002. */
static bool systemd_could(struct facts *facts)
{
	bool is_v2 = facts->is_foreign || facts->snapshot->mounts.mode == CGROUPS_V2;
	bool has_psi =
		facts->is_foreign || fact_text(facts, "proc/pressure/memory").state == OK;

	return is_v2 && has_psi &&
	       facts_unit(facts, "systemd-oomd.service")->standing == UNIT_PRESENT;
}

static void fix_no_killer(struct facts *facts, const struct guards *guards,
			  struct result *result)
{
	const struct guard_found *refault = guard_of(guards, GUARD_REFAULT);
	bool is_running = refault && refault->is_running;

	if (is_running || facts_unit(facts, "refault-guard.service")->standing == UNIT_PRESENT)
		fix_refault(result, is_running);
	else if (systemd_could(facts))
		fix_systemd(result);
	else
		result_fix(result, (struct fix_step){ .kind = FIX_PRINT,
						      .value = "install a guard: apt install "
							       "earlyoom, or refault guard" });
}

static void say_no_killer(struct audit *audit, const struct guards *guards)
{
	struct facts *facts = audit->facts;
	struct fact kills = fact_field(facts, VM_OOM_KILL);
	struct result *result = audit_fail(
		audit, "", "nobody but the kernel would act when memory runs short%s",
		is_slow(facts) ? ", and there is no swap that could put it off" : "");

	/* A kill that was shows that memory does run out here. */
	if (is_slow(facts) || (kills.state == OK && kills.number))
		result_level(result, LEVEL_HIGH);
	if (kills.state == OK)
		result_cite_fact(result, "oom_kill", &kills);
	for (size_t i = 0; i < guards->count; i++)
		if (guards->guard[i].because)
			result_cite(audit, result, guard_kind_name(guards->guard[i].kind),
				    where_of(facts, guards->guard[i].row), "%s",
				    guards->guard[i].because);
	fix_no_killer(facts, guards, result);
}

void killers_nobody(struct audit *audit)
{
	struct guards guards;

	guards_find(audit->facts, &guards);
	if (!killers_can_tell(audit, &guards))
		return;
	for (size_t i = 0; i < ARRAY_LEN(KILLERS); i++)
		if (acting(audit, &guards, KILLERS[i]))
			return;
	if (guard_acts(&guards, GUARD_MIN_TTL))
		audit_note(audit, "",
			   "no guard acts; the kernel itself ends a freeze of the machine "
			   "(min_ttl_ms), though not one at a cgroup's memory.high");
	else
		say_no_killer(audit, &guards);
}

void killers_two(struct audit *audit)
{
	const struct guard_found *found[ARRAY_LEN(KILLERS)];
	struct guards guards;
	struct result *result;
	size_t count = 0;

	guards_find(audit->facts, &guards);
	if (!killers_can_tell(audit, &guards))
		return;
	for (size_t i = 0; i < ARRAY_LEN(KILLERS); i++)
		if (acting(audit, &guards, KILLERS[i]))
			found[count++] = acting(audit, &guards, KILLERS[i]);
	if (count < 2)
		return;
	result = audit_warn(audit, "", "%zu guards may kill at the same time", count);
	for (size_t i = 0; i < count; i++)
		result_cite(audit, result, guard_kind_name(found[i]->kind),
			    where_of(audit->facts, found[i]->row), "%s", found[i]->at);
	result_fix(result,
		   (struct fix_step){ .kind = FIX_PRINT,
				      .value = "let one of them act and disable the "
					       "others: systemctl disable --now NAME" });
}

static bool has_zram(const struct facts *facts)
{
	const struct devices *devices = facts->snapshot->devices;

	for (size_t i = 0; devices && i < devices->swaps; i++)
		if (strstr(devices->swap[i].name, "zram"))
			return true;
	return false;
}

static void say_earlyoom(struct audit *audit, const struct earlyoom *earlyoom, uint64_t swap)
{
	struct facts *facts = audit->facts;
	unsigned int percent = (unsigned int)earlyoom->swap_centi / 100;
	struct result *result = audit_fail(
		audit, "earlyoom",
		"earlyoom waits until free swap is below %u %% of %s as well%s", percent,
		bytes_text(facts, swap),
		has_zram(facts) ? ", and zram keeps swap free while RAM is gone" : "");

	result_cite(audit, result, "EARLYOOM_ARGS", where_of(facts, earlyoom->row), "%s",
		    earlyoom->row ? earlyoom->row->value : "not set");
	result_cite(audit, result, "SwapTotal", "proc/meminfo", "%s", bytes_text(facts, swap));
	result_fix(result,
		   (struct fix_step){
			   .kind = FIX_PRINT,
			   .value = "EARLYOOM_ARGS=\"-m 5 -s 100 -r 3600\" in "
				    "/etc/default/earlyoom, then systemctl restart earlyoom",
			   .previous = earlyoom->row ? earlyoom->row->value : NULL });
}

/* Both thresholds have to be crossed. */
void killers_earlyoom(struct audit *audit)
{
	const struct guard_found *found;
	struct earlyoom earlyoom;
	struct guards guards;
	uint64_t swap;

	guards_find(audit->facts, &guards);
	if (!killers_can_tell(audit, &guards))
		return;
	found = guard_of(&guards, GUARD_EARLYOOM);
	if (!found) {
		audit_skip(audit, "earlyoom neither runs nor is enabled");
		return;
	}
	earlyoom_read(audit->facts, found->pid, &earlyoom);
	if (earlyoom.state != OK) {
		audit_unknown(audit, "earlyoom",
			      earlyoom.state == DENIED ? "root" :
							 "a correct "
							 "file",
			      "the arguments of earlyoom can't be told");
		return;
	}
	if (!killers_swap(audit, &swap) || swap == 0 || earlyoom.swap_centi >= 10000)
		return;
	if (has_zram(audit->facts) || swap > facts_ram(audit->facts) / 4)
		say_earlyoom(audit, &earlyoom, swap);
}
