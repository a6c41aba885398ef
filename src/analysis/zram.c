#include "analysis/zram.h"

/* "zram0" of "/dev/zram0"; "" when it is a file or no path. */
static const char *device_of(const struct swap_area *swap)
{
	const char *slash = swap->is_file ? NULL : strrchr(swap->name, '/');

	return slash ? slash + 1 : "";
}

static const struct swap_area *swap_on(const struct devices *devices, const char *device)
{
	for (size_t i = 0; i < devices->swaps; i++)
		if (strcmp(device_of(&devices->swap[i]), device) == 0)
			return &devices->swap[i];
	return NULL;
}

static bool is_seen(const struct devices *devices, const char *device)
{
	for (size_t i = 0; i < devices->zrams; i++)
		if (strcmp(devices->zram[i].name, device) == 0)
			return true;
	return false;
}

/* Why a zram device that is swap could not be read; none when each was. */
static struct number unseen_zram(const struct devices *devices, struct number none)
{
	for (size_t i = 0; i < devices->swaps; i++) {
		const char *device = device_of(&devices->swap[i]);

		if (strncmp(device, "zram", 4) != 0 || is_seen(devices, device))
			continue;
		if (devices->zram_state == OK)
			return number_unknown(WHY_ABSENT);
		return number_level((struct reading){ 0, devices->zram_state }, 1);
	}
	return none;
}

struct number zram_used(const struct devices *devices)
{
	struct number sum = unseen_zram(devices, number_known(0));

	for (size_t i = 0; i < devices->zrams; i++)
		sum = number_sum(sum,
				 number_level(reading_of(devices->zram[i].value,
							 devices->zram[i].state, ZRAM_USED),
					      1));
	return sum;
}

static double fill_of(const struct devices *devices, const struct zram *zram)
{
	const struct swap_area *swap = swap_on(devices, zram->name);
	double fill = 0;

	if (swap && swap->value[SWAP_SIZE] > 0)
		fill = (double)swap->value[SWAP_USED] / (double)swap->value[SWAP_SIZE];
	if (zram->state[ZRAM_LIMIT] == OK && zram->value[ZRAM_LIMIT] > 0)
		fill = MAX(fill,
			   (double)zram->value[ZRAM_USED] / (double)zram->value[ZRAM_LIMIT]);
	return fill;
}

struct number zram_fill(const struct devices *devices)
{
	struct number most = unseen_zram(devices, number_unknown(WHY_NOT_APPLICABLE));

	for (size_t i = 0; i < devices->zrams; i++) {
		double fill = fill_of(devices, &devices->zram[i]);

		if (!swap_on(devices, devices->zram[i].name))
			continue;
		if (most.why != WHY_KNOWN || fill > most.value)
			most = number_known(fill);
	}
	return most;
}

double zram_excess(const struct devices *devices, const struct zram *zram)
{
	const struct swap_area *swap = swap_on(devices, zram->name);
	double free;
	double room;

	if (!swap || zram->state[ZRAM_LIMIT] != OK || zram->value[ZRAM_LIMIT] == 0 ||
	    zram->value[ZRAM_USED] == 0)
		return 0;
	free = (double)swap->value[SWAP_SIZE] - (double)swap->value[SWAP_USED];
	room = ((double)zram->value[ZRAM_LIMIT] - (double)zram->value[ZRAM_USED]) *
	       ((double)zram->value[ZRAM_ORIG] / (double)zram->value[ZRAM_USED]);
	return fmax(free - fmax(room, 0), 0);
}
