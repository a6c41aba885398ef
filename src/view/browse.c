#include "view/browse.h"

static const size_t EACH[ZOOMS] = { 1, 2, 5, 10, 20, 30, 60 };

size_t browse_each(const struct browse *browse)
{
	return EACH[browse->zoom];
}

void browse_init(struct browse *browse)
{
	*browse = (struct browse){ 0 };
	browse->look[PAGE_CGROUPS].sort = CGROUP_LAYOUT.sort;
	browse->look[PAGE_TASKS].sort = TASK_LAYOUT.sort;
}

static bool is_sheet(const struct browse *browse)
{
	return browse->page >= TABLE_PAGES;
}

static struct look *look_of(struct browse *browse)
{
	return &browse->look[is_sheet(browse) ? browse->under : browse->page];
}

struct table *browse_table(const struct browse *browse, struct scene *scene)
{
	enum page page = is_sheet(browse) ? browse->under : browse->page;

	return page == PAGE_TASKS ? &scene->tasks : &scene->cgroups;
}

const struct row *browse_opened(const struct browse *browse, const struct scene *scene)
{
	for (size_t i = 0; i < scene->cgroups.rows; i++) {
		const struct row *row = &scene->cgroups.row[i];

		if (row->id == browse->opened_id &&
		    row->generation == browse->opened_generation)
			return row;
	}
	return NULL;
}

struct opened {
	const struct scene *scene;
	const struct row *cgroup; /* NULL: it is gone */
};

static bool is_in_opened(const void *context, const struct row *task)
{
	const struct opened *opened = context;

	return opened->cgroup && scene_has_task(opened->scene, opened->cgroup, task);
}

static void order(struct browse *browse, struct scene *scene)
{
	const struct look *look = look_of(browse);
	const struct opened opened = { scene, browse_opened(browse, scene) };
	struct table *table = browse_table(browse, scene);
	struct query query = { .glob = look->glob, .sort = look->sort };

	if (table == &scene->tasks) {
		query.has = is_in_opened;
		query.context = &opened;
	}
	table_query(table, &query);
}

/* The cursor goes where its row went; when that is gone it stays at its height. */
static void place_cursor(struct look *look, const struct table *table)
{
	size_t last = table->shown > 0 ? table->shown - 1 : 0;
	size_t found = table->shown;

	if (look->is_held)
		found = table_find(table, look->id, look->generation);
	look->at = MIN(found < table->shown ? found : look->at, last);
}

static void scroll_to_cursor(struct look *look, const struct table *table, size_t height)
{
	size_t most = table->shown > height ? table->shown - height : 0;

	if (look->at < look->top)
		look->top = look->at;
	if (height > 0 && look->at >= look->top + height)
		look->top = look->at - height + 1;
	look->top = MIN(look->top, most);
}

void browse_refresh(struct browse *browse, struct scene *scene)
{
	size_t most = browse->lines > browse->height ? browse->lines - browse->height : 0;
	struct look *look = look_of(browse);
	struct table *table = browse_table(browse, scene);

	if (is_sheet(browse)) {
		browse->scrolled = MIN(browse->scrolled, most);
		return;
	}
	if (!scene->is_filled)
		return;
	order(browse, scene);
	place_cursor(look, table);
	scroll_to_cursor(look, table, browse->height);
}

/* The first row is no row to stay with: whoever is at the top wants to see the worst. */
static void move_to(struct look *look, const struct table *table, size_t at)
{
	look->at = at;
	look->is_held = at > 0 && at < table->shown;
	if (look->is_held) {
		look->id = table_row(table, at)->id;
		look->generation = table_row(table, at)->generation;
	}
}

static size_t moved(size_t at, enum action action, size_t height, size_t last)
{
	size_t page = MAX(height, (size_t)2) - 1;

	switch ((unsigned int)action) {
	case ACT_UP:
		return at > 0 ? at - 1 : 0;
	case ACT_DOWN:
		return MIN(at + 1, last);
	case ACT_PAGE_UP:
		return at > page ? at - page : 0;
	case ACT_PAGE_DOWN:
		return MIN(at + page, last);
	case ACT_FIRST:
		return 0;
	default:
		return last;
	}
}

static void move(struct browse *browse, const struct table *table, enum action action)
{
	size_t last = table->shown > 0 ? table->shown - 1 : 0;

	if (is_sheet(browse)) {
		last = browse->lines > browse->height ? browse->lines - browse->height : 0;
		browse->scrolled = moved(browse->scrolled, action, browse->height, last);
	} else {
		struct look *look = look_of(browse);

		move_to(look, table, moved(look->at, action, browse->height, last));
	}
}

/* Round and round: behind the last column comes the first. */
static void sort_by_next(struct look *look, const struct layout *layout, bool right)
{
	look->sort += right ? 1 : layout->columns - 1;
	look->sort %= layout->columns;
}

static void open_tasks(struct browse *browse, const struct table *cgroups)
{
	const struct look *look = &browse->look[PAGE_CGROUPS];

	if (browse->page != PAGE_CGROUPS || look->at >= cgroups->shown)
		return;
	browse->opened_id = table_row(cgroups, look->at)->id;
	browse->opened_generation = table_row(cgroups, look->at)->generation;
	browse->look[PAGE_TASKS] = (struct look){ .sort = browse->look[PAGE_TASKS].sort };
	browse->page = PAGE_TASKS;
}

static void open_sheet(struct browse *browse, enum page sheet)
{
	if (!is_sheet(browse))
		browse->under = browse->page;
	browse->page = browse->page == sheet ? browse->under : sheet;
	browse->scrolled = 0;
}

static void go_back(struct browse *browse)
{
	browse->page = is_sheet(browse) ? browse->under : PAGE_CGROUPS;
}

/* Takes away what lies on top: a sheet, then the filter, then the processes. */
static void clear(struct browse *browse)
{
	struct look *look = look_of(browse);

	if (!is_sheet(browse) && look->glob[0])
		look->glob[0] = '\0';
	else
		go_back(browse);
}

static void change(struct browse *browse, struct scene *scene, enum action action)
{
	const struct table *table = browse_table(browse, scene);

	switch ((unsigned int)action) {
	case ACT_QUIT:
		if (is_sheet(browse))
			go_back(browse);
		else
			browse->is_done = true;
		return;
	case ACT_PAUSE:
		browse->is_paused = !browse->is_paused;
		return;
	case ACT_SORT_LEFT:
	case ACT_SORT_RIGHT:
		sort_by_next(look_of(browse), table->layout, action == ACT_SORT_RIGHT);
		return;
	case ACT_FILTER:
		browse->is_typing = !is_sheet(browse);
		return;
	case ACT_OPEN:
		open_tasks(browse, table);
		return;
	case ACT_BACK:
		go_back(browse);
		return;
	case ACT_CLEAR:
		clear(browse);
		return;
	case ACT_VERDICT:
		open_sheet(browse, PAGE_VERDICT);
		return;
	case ACT_HELP:
		open_sheet(browse, PAGE_HELP);
		return;
	case ACT_ZOOM_IN:
		browse->zoom -= browse->zoom > 0;
		return;
	case ACT_ZOOM_OUT:
		browse->zoom += browse->zoom + 1 < ZOOMS;
		return;
	default:
		move(browse, table, action);
	}
}

void browse_act(struct browse *browse, struct scene *scene, enum action action)
{
	if (action == ACT_NONE)
		return;
	if (browse->is_typing) {
		/* The dialog takes two keys; the others are for the filter or for nothing. */
		if (action == ACT_CLEAR)
			look_of(browse)->glob[0] = '\0';
		if (action == ACT_CLEAR || action == ACT_OPEN)
			browse->is_typing = false;
	} else {
		change(browse, scene, action);
	}
	browse_refresh(browse, scene);
}

void browse_type(struct browse *browse, struct scene *scene, struct span character)
{
	struct look *look = look_of(browse);
	size_t used = strlen(look->glob);

	if (used + span_len(character) >= sizeof(look->glob))
		return;
	memcpy(look->glob + used, character.at, span_len(character));
	look->glob[used + span_len(character)] = '\0';
	browse_refresh(browse, scene);
}

void browse_erase(struct browse *browse, struct scene *scene)
{
	char *glob = look_of(browse)->glob;
	size_t used = strlen(glob);

	while (used > 0 && ((unsigned char)glob[used - 1] & 0xc0) == 0x80)
		used--;
	glob[used > 0 ? used - 1 : 0] = '\0';
	browse_refresh(browse, scene);
}
