#include "view/screen.h"

#include <errno.h>
#include <langinfo.h>

#include "view/screen_terminal.h"

int screen_open(struct screen *screen, double interval_s, bool color)
{
	int r;

	*screen = (struct screen){ .interval_s = interval_s, .color = color };
	r = scene_init(&screen->scene);
	if (r < 0)
		return r;
	screen->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	browse_init(&screen->browse);
	r = terminal_open(color);
	if (r < 0)
		scene_done(&screen->scene);
	else
		screen->is_open = true;
	return r;
}

void screen_close(struct screen *screen)
{
	if (!screen->is_open)
		return;
	terminal_close();
	scene_done(&screen->scene);
	screen->is_open = false;
}

void screen_remember(struct screen *screen, const struct evidence *evidence)
{
	const struct moment moment = moment_of(evidence);

	history_add(&screen->history, &moment);
}

void screen_take(struct screen *screen, const struct verdict *verdict)
{
	scene_take(&screen->scene, verdict, &screen->history);
	browse_refresh(&screen->browse, &screen->scene);
}
