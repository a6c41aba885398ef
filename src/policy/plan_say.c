#include "policy/ladder.h"

static void copy_path(const struct evidence *evidence, int32_t member, char out[RECORD_PATH])
{
	const char *path;

	out[0] = '\0';
	if (member < 0)
		return;
	path = evidence->pair.now->cgroups[member].path;
	span_copy(span_cstr(*path ? path : "/"), out, RECORD_PATH);
}

struct guard_record *record_plain(const struct plan_input *input, struct plan_output *out,
				  enum record_kind kind)
{
	const struct evidence *evidence = input->recent;
	struct guard_record *record;

	if (out->records == PLAN_RECORDS)
		return NULL;
	record = &out->record[out->records++];
	*record = record_blank(kind);
	record->at_us = input->at_us;
	record->wall_us = evidence->pair.now->host.wall_us;
	record->dry = input->config->options.mode == MODE_OBSERVE;
	record->class = input->verdict->class;
	record->available = signal_of(&evidence->machine, SIG_AVAILABLE);
	record->free = signal_of(&evidence->machine, SIG_FREE);
	record->reread = reread_of(&evidence->machine);
	return record;
}

struct record_candidate candidate_kept(const struct candidate *candidate)
{
	struct record_candidate kept = {
		.pid = candidate->task ? candidate->task->pid : 0,
		.gain = candidate->gain,
		.growth = candidate->growth,
		.score = candidate->score,
		.exempt = candidate->exempt,
	};

	span_copy(span_cstr(candidate->task ? candidate->task->name : ""), kept.comm,
		  sizeof(kept.comm));
	return kept;
}

static void put_candidate(const struct look *look, const struct candidate *from,
			  struct guard_record *record)
{
	struct record_candidate *to = &record->candidate[record->candidates++];

	*to = candidate_kept(from);
	copy_path(look->input->longer, from->member, to->path);
}

static void put_parties(const struct look *look, struct guard_record *record)
{
	const struct harm *harm = &look->harm;
	const struct evidence *evidence = look->input->recent;

	/* Both pieces of evidence end with the same snapshot: an index means the same in both.
	 */
	copy_path(evidence, harm->sufferer, record->sufferer);
	copy_path(evidence, harm->culprit, record->culprit);
	record->loss = harm->loss;
	record->loss_upper = harm->loss_upper;
	record->growth = harm->culprit < 0 ? (double)NAN : harm->rate;
	record->left_s = harm->left_s;
	if (harm->sufferer >= 0) {
		const struct signals *signals = &evidence->members[harm->sufferer].signals;

		record->psi_memory = signal_of(signals, SIG_MEM_SOME);
		record->psi_io = signal_of(signals, SIG_IO_SOME);
	}
}

struct guard_record *record_of(struct look *look, enum record_kind kind)
{
	struct guard_record *record = record_plain(look->input, look->out, kind);
	const struct domain_state *state = look->state;

	if (!record)
		return NULL;
	record->id = state->decision;
	record->because = look->harm.because;
	record->limit = state->kind;
	record->domain_id = state->id;
	span_copy(span_cstr(state->path), record->domain, sizeof(record->domain));
	record->reread = reread_of(look->domain->signals);
	put_parties(look, record);
	for (size_t i = 0; i < state->ranking.count && i < RECORD_CANDIDATES; i++)
		put_candidate(look, &state->ranking.list[i], record);
	return record;
}

static int32_t member_of(const struct plan_input *input, uint64_t cgroup_id)
{
	const struct snapshot *now = input->longer->pair.now;

	for (size_t i = 0; i < now->cgroup_count; i++)
		if (now->cgroups[i].id == cgroup_id)
			return (int32_t)i;
	return -1;
}

struct action *action_of(const struct plan_input *input, struct plan_output *out,
			 struct action_target target)
{
	struct action *action;

	if (out->actions == PLAN_ACTIONS)
		return NULL;
	action = &out->action[out->actions++];
	*action = (struct action){
		.kind = target.kind,
		.decision = target.decision,
		.cgroup_id = target.cgroup_id,
		.member = member_of(input, target.cgroup_id),
	};
	return action;
}

const struct feedback *feedback_of(const struct plan_input *input, uint64_t decision,
				   enum action_kind kind)
{
	for (size_t i = input->feedback_count; i-- > 0;)
		if (input->feedback[i].decision == decision && input->feedback[i].kind == kind)
			return &input->feedback[i];
	return NULL;
}
