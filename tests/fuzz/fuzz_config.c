#include "fuzz.h"

#include <errno.h>

#include "policy/config_file.h"

static struct guard_config config;
static struct config_report report;

static void check_texts(void)
{
	for (size_t i = 0; i < report.errors; i++)
		CHECK(report.error[i].text[0] != '\0' &&
		      !strpbrk(report.error[i].text, "\n\x1b"));
	for (size_t i = 0; i < report.warnings; i++)
		CHECK(report.warning[i].text[0] != '\0');
}

/* What is taken is in its range, and the rows are whole and in their order. */
static void check_config(void)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		const struct option_row *row = &OPTION_ROWS[i];
		uint64_t value = *option_at(&config.options, row);

		CHECK(value >= row->least && value <= row->most);
	}
	for (uint32_t i = 0; i < config.rows; i++) {
		const struct policy_row *row = &config.row[i];
		const struct policy_subject subject = { .cgroup = "a.slice/b.service",
							.comm = "c" };

		CHECK(row->kinds != 0 && row->kinds < 1u << POLICY_KINDS);
		CHECK(i == 0 || row->priority <= row[-1].priority);
		CHECK(memmem(row->argv, sizeof(row->argv), "\0", 2));
		CHECK(!(row->kinds & 1u << POLICY_HOOK) == (row->argv[0] == '\0'));
		for (enum policy_kind kind = 0; kind < POLICY_KINDS; kind++)
			(void)policy_find(&config, kind, &subject);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int r = config_parse("fuzz.conf", input(data, size), &config, &report);

	CHECK(r == 0 || r == -EBADMSG);
	CHECK((r == -EBADMSG) == (report.errors > 0));
	check_texts();
	if (r == 0)
		check_config();
	return 0;
}
