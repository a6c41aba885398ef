#include "view/clock.h"

void clock_add(struct text *text, const struct host *host)
{
	time_t seconds = (time_t)(host->wall_us / SECOND_US);
	struct tm tm;

	if (host->wall_us > 0 && localtime_r(&seconds, &tm))
		text_add(text, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	else if (host->has_time)
		text_add(text, "up %llu", (unsigned long long)(host->at_us / SECOND_US));
	else
		text_add(text, "-");
}
