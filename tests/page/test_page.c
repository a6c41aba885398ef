#include "../unit/test.h"

#include <errno.h>
#include <math.h>

#include "lab/page/page.h"

#define TEMPLATE "<title>@@TITLE@@</title><main>@@BODY@@</main><script>@@DATA@@</script>"

/* What page_write() makes of it. */
static char page_bytes[1 << 16];

static const char *write_page(const struct page *page, const char *template)
{
	FILE *out = fmemopen(page_bytes, sizeof(page_bytes), "w");

	assert_non_null(out);
	assert_int_equal(page_write(out, page, span_cstr(template)), 0);
	assert_int_equal(fclose(out), 0);
	return page_bytes;
}

static const char *page_of(const struct page_run *run)
{
	return write_page(&(struct page){ .title = "a page", .run = run, .runs = 1 }, TEMPLATE);
}

static void a_hostile_name_ends_neither_a_tag_nor_the_script(void **state)
{
	static const char *const hostile[] = {
		"</script><script>alert(1)</script>",
		"\"><img src=x onerror=alert(2)>",
		"'><b>",
		"&lt;",
		"<!--",
		"</title><b>",
		"\" onclick=\"x",
	};

	for (size_t i = 0; i < ARRAY_LEN(hostile); i++) {
		const char *name = hostile[i];
		const struct page_figure figure = { name, name, name, name, PAGE_FAILS };
		const struct page_event event = { 1, name, name };
		const struct page_fact fact = { name, name };
		const struct page_run run = {
			name, name, name,  name, name,	  name, name,	name, name,
			name, name, &fact, 1,	 &figure, 1,	&event, 1,
		};
		const char *written;

		case_of(name);
		written = write_page(&(struct page){ name, name, &run, 1 }, TEMPLATE);
		assert_null(strstr(written, name));
		assert_null(strstr(written, "<img"));
		assert_null(strstr(written, "<script>alert"));
	}
}

static void a_separator_of_lines_stays_out_of_the_script(void **state)
{
	const char *written = page_of(&(struct page_run){ .arm = "a\xe2\x80\xa8"
								 "b\xe2\x80\xa9" });

	assert_non_null(strstr(written, "\"arm\":\"a\\u2028b\\u2029\""));
}

static void bytes_that_are_no_text_are_marked(void **state)
{
	const char *written = page_of(&(struct page_run){ .config = "a\xff\x1b[31m" });

	assert_non_null(strstr(written, "a\xef\xbf\xbd\xef\xbf\xbd[31m"));
}

static void a_name_that_looks_like_a_mark_is_a_name(void **state)
{
	const char *written = write_page(&(struct page){ .title = "@@DATA@@" }, TEMPLATE);

	assert_non_null(strstr(written, "<title>@@DATA@@</title>"));
	assert_null(strstr(written, "<script>@@"));
}

static void what_is_not_known_is_null(void **state)
{
	const double time[] = { 0, 1, 2 }, value[] = { 1048576, NAN, INFINITY };
	const struct page_series series = { PAGE_SWAP, "swap", false, value };
	const char *written = page_of(&(struct page_run){
		.time_s = time,
		.samples = 3,
		.series = &series,
		.series_count = 1,
		.pressure_from_s = NAN,
		.pressure_to_s = NAN,
	});

	assert_non_null(strstr(written, "\"values\":[1,null,null]"));
	assert_non_null(strstr(written, "\"pressure\":[null,null]"));
}

static void a_figure_that_a_run_lacks_leaves_its_cell_empty(void **state)
{
	const struct page_figure first = { "ticks", NULL, "28 %" };
	const struct page_figure second = { "pause", NULL, "9.9 s" };
	const struct page_run runs[] = {
		{ .title = "a", .figure = &first, .figures = 1 },
		{ .title = "b", .figure = &second, .figures = 1 },
	};
	const char *written = write_page(&(struct page){ .run = runs, .runs = 2 }, TEMPLATE);

	assert_non_null(strstr(written, "<td><b>28 %</b></td>\n<td></td>"));
	assert_non_null(strstr(written, "<td></td>\n<td><b>9.9 s</b></td>"));
}

static void the_header_counts_what_became_of_the_runs(void **state)
{
	const struct page_run runs[] = {
		{ .kernel = "6.1", .status = "done" },
		{ .kernel = "6.12", .status = "lost" },
		{ .kernel = "6.1", .status = "done" },
	};
	const char *written = write_page(&(struct page){ .run = runs, .runs = 3 }, TEMPLATE);

	assert_non_null(strstr(written, "<dd>2 done, 1 lost</dd>"));
	assert_non_null(strstr(written, "<dd>6.1, 6.12</dd>"));
}

static void a_run_without_samples_has_no_charts(void **state)
{
	const char *written = page_of(&(struct page_run){ .status = "lost" });

	assert_null(strstr(written, "data-run"));
	assert_non_null(strstr(written, "nothing to draw"));
}

static void a_build_without_a_template_says_so(void **state)
{
	assert_int_equal(page_write(stderr, &(struct page){ 0 }, span_of("", 0)), -ENOTSUP);
}

static void a_full_disk_is_an_error(void **state)
{
	FILE *out = fopen("/dev/full", "w");

	assert_non_null(out);
	assert_int_equal(page_write(out, &(struct page){ 0 }, span_cstr(TEMPLATE)), -EIO);
	fclose(out);
}

/* Fails once, as a disk that was full for a moment. */
static ssize_t write_later(void *cookie, const char *bytes, size_t size)
{
	bool *failed = cookie;

	(void)bytes;
	if (*failed)
		return (ssize_t)size;
	*failed = true;
	errno = ENOSPC;
	return 0;
}

static void an_error_in_the_middle_is_not_forgotten(void **state)
{
	static char template[20000];
	bool failed = false;
	FILE *out = fopencookie(&failed, "w", (cookie_io_functions_t){ .write = write_later });

	memset(template, ' ', sizeof(template) - 1);
	assert_non_null(out);
	assert_int_equal(page_write(out, &(struct page){ 0 }, span_cstr(template)), -EIO);
	assert_true(failed);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hostile_name_ends_neither_a_tag_nor_the_script),
		cmocka_unit_test(a_separator_of_lines_stays_out_of_the_script),
		cmocka_unit_test(bytes_that_are_no_text_are_marked),
		cmocka_unit_test(a_name_that_looks_like_a_mark_is_a_name),
		cmocka_unit_test(what_is_not_known_is_null),
		cmocka_unit_test(a_figure_that_a_run_lacks_leaves_its_cell_empty),
		cmocka_unit_test(the_header_counts_what_became_of_the_runs),
		cmocka_unit_test(a_run_without_samples_has_no_charts),
		cmocka_unit_test(a_build_without_a_template_says_so),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(an_error_in_the_middle_is_not_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
