#include "view/screen_keys.h"

#include <curses.h>

#include "view/screen.h"
#include "view/screen_terminal.h"

#define KEY_ESCAPE 27
#define KEY_DELETE 127
#define KEY_CONTROL_H 8

const struct key_row SCREEN_KEYS[] = {
	{ ACT_QUIT, { 'q' }, "q", "quit", "Quit; close this text." },
	{ ACT_HELP, { '?', 'h', KEY_F(1) }, "?, h", "help", "Show this text." },
	{ ACT_PAUSE,
	  { 'p', ' ' },
	  "p, space",
	  "pause",
	  "Freeze the screen. Sampling goes on behind it; a recording stops." },
	{ ACT_OPEN,
	  { '\n', '\r', KEY_ENTER },
	  "enter",
	  "processes",
	  "Show the processes of the cgroup under the cursor." },
	{ ACT_BACK,
	  { KEY_BACKSPACE, KEY_DELETE, KEY_CONTROL_H, KEY_LEFT },
	  "backspace, left",
	  NULL,
	  "Back to the cgroups." },
	{ ACT_VERDICT,
	  { 'v' },
	  "v",
	  "verdict",
	  "Show the whole verdict, as refault diagnose prints it." },
	{ ACT_SORT_RIGHT, { 's', '>' }, "s, >", "sort", "Sort by the next column." },
	{ ACT_SORT_LEFT, { '<' }, "<", NULL, "Sort by the column before." },
	{ ACT_FILTER,
	  { '/' },
	  "/",
	  "filter",
	  "Show only what matches: a glob such as *.service, or a part of the name. Enter "
	  "keeps "
	  "it." },
	{ ACT_CLEAR, { KEY_ESCAPE }, "esc", NULL, "Clear the filter; without one, go back." },
	{ ACT_ZOOM_OUT, { '-' }, "-", NULL, "Let the plots reach back further." },
	{ ACT_ZOOM_IN,
	  { '+', '=' },
	  "+",
	  NULL,
	  "Let the plots show less time, in more detail." },
	{ ACT_UP, { KEY_UP, 'k' }, "up, k", NULL, "Up a row." },
	{ ACT_DOWN, { KEY_DOWN, 'j' }, "down, j", NULL, "Down a row." },
	{ ACT_PAGE_UP, { KEY_PPAGE }, "page up", NULL, "Up a page." },
	{ ACT_PAGE_DOWN, { KEY_NPAGE }, "page down", NULL, "Down a page." },
	{ ACT_FIRST,
	  { KEY_HOME, 'g' },
	  "home, g",
	  NULL,
	  "To the first row. There the cursor stays at the top, elsewhere with its row." },
	{ ACT_LAST, { KEY_END, 'G' }, "end, G", NULL, "To the last row." },
};
const size_t SCREEN_KEY_COUNT = ARRAY_LEN(SCREEN_KEYS);

enum action key_action(int code)
{
	for (size_t i = 0; i < ARRAY_LEN(SCREEN_KEYS); i++)
		for (size_t j = 0; j < ARRAY_LEN(SCREEN_KEYS[i].codes); j++)
			if (SCREEN_KEYS[i].codes[j] == code && code != 0)
				return SCREEN_KEYS[i].action;
	return ACT_NONE;
}

static void type(struct screen *screen, const struct key *key, enum action action)
{
	if (key->character[0])
		browse_type(&screen->browse, &screen->scene, span_cstr(key->character));
	else if (action == ACT_BACK && key->code != KEY_LEFT)
		browse_erase(&screen->browse, &screen->scene);
	else
		browse_act(&screen->browse, &screen->scene, action);
}

void screen_keys(struct screen *screen)
{
	struct key key;

	while (!screen->browse.is_done && terminal_key(&key)) {
		enum action action = key_action(key.code);

		if (screen->browse.is_typing) {
			type(screen, &key, action);
			continue;
		}
		browse_act(&screen->browse, &screen->scene, action);
		if (action == ACT_ZOOM_IN || action == ACT_ZOOM_OUT)
			screen->is_zoomed = true;
	}
}
