#include "audit/killers.h"

#include "base/units.h"

bool killers_can_tell(struct audit *audit, const struct guards *guards)
{
	if (audit->facts->in_container) {
		audit_skip(audit, "guards of the machine belong to the host; this is a "
				  "container");
		return false;
	}
	if (guards->state == OK || audit->facts->is_foreign)
		return true;
	audit_unknown(audit, "", guards->state == DENIED ? "root" : "the list of processes",
		      "the processes of others can't be seen, so a guard may be missed");
	return false;
}

bool killers_has(const struct audit *audit, const struct guards *guards, enum guard_kind kind)
{
	const struct guard_found *found = guard_of(guards, kind);

	return found && (found->is_running || (audit->facts->is_foreign && found->is_enabled));
}

bool killers_swap(struct audit *audit, uint64_t *bytes)
{
	struct fact total = fact_field(audit->facts, MI_SWAP_TOTAL);

	if (!audit_has(audit, &total, "the kernel was built without swap"))
		return false;
	*bytes = total.number;
	return true;
}

/* "libsystemd-shared-257.so", "libsystemd-shared-257.13-1.so" */
static unsigned int version_in(struct facts *facts, const char *folder)
{
	static const char prefix[] = "libsystemd-shared-";
	struct names names = facts_names(facts, folder);

	for (size_t i = 0; i < names.count; i++) {
		const char *at = names.name[i] + sizeof(prefix) - 1;
		uint64_t version;

		if (strncmp(names.name[i], prefix, sizeof(prefix) - 1) == 0 &&
		    span_u64(span_of(at, strspn(at, "0123456789")), &version) == 0)
			return (unsigned int)MIN(version, (uint64_t)99999);
	}
	return 0;
}

unsigned int systemd_version(struct facts *facts)
{
	static const char *const folders[] = { "usr/lib/systemd",
					       "usr/lib/x86_64-linux-gnu/systemd",
					       "usr/lib/aarch64-linux-gnu/systemd",
					       "usr/lib64/systemd" };
	unsigned int version = 0;

	for (size_t i = 0; i < ARRAY_LEN(folders) && version == 0; i++)
		version = version_in(facts, folders[i]);
	return version;
}

const char *where_of(struct facts *facts, const struct config_row *row)
{
	return row ? facts_format(facts, "%s:%u", row->file, row->line) : "";
}

const char *bytes_text(struct facts *facts, uint64_t bytes)
{
	char buffer[32];
	struct text text = text_on(buffer, sizeof(buffer));

	text_bytes(&text, (double)bytes);
	return facts_format(facts, "%s", buffer);
}
