#include "view/screen_terminal.h"

#include <curses.h>
#include <errno.h>
#include <term.h>
#include <wchar.h>

#include "view/screen_paint.h"

/* An escape that begins a key's sequence is followed at once; a person's is not. */
#define ESCAPE_MS 25

static SCREEN *terminal;

/* newterm() would take a terminal that only prints, such as TERM=dumb. */
static bool can_move_cursor(void)
{
	bool can;
	int result;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return false;
	if (setupterm(NULL, STDOUT_FILENO, &result) == ERR)
		return false;
	can = cursor_address && clear_screen;
	del_curterm(cur_term);
	return can;
}

int terminal_open(bool color)
{
	if (!can_move_cursor())
		return -ENOTTY;
	terminal = newterm(NULL, stdout, stdin);
	if (!terminal)
		return -ENOTTY;
	set_escdelay(ESCAPE_MS);
	cbreak();
	noecho();
	nonl();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	curs_set(0);
	if (color)
		inks_init();
	return 0;
}

void terminal_close(void)
{
	if (!terminal)
		return;
	curs_set(1);
	endwin();
	delscreen(terminal);
	terminal = NULL;
}

bool terminal_key(struct key *out)
{
	mbstate_t state = { 0 };
	wint_t typed;
	int r = get_wch(&typed);
	size_t length;

	if (r == ERR)
		return false;
	*out = (struct key){ 0 };
	if (r == KEY_CODE_YES || typed < 0x80)
		out->code = (int)typed;
	if (r == KEY_CODE_YES)
		return true;
	length = wcrtomb(out->character, (wchar_t)typed, &state);
	if (length == (size_t)-1 || (unsigned int)typed < 0x20 || typed == 0x7f)
		out->character[0] = '\0';
	return true;
}
