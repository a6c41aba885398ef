#include "base/sort.h"

static bool less(const struct sort_key *left, const struct sort_key *right)
{
	if (left->major != right->major)
		return left->major < right->major;
	return left->minor < right->minor;
}

static void swap(struct sort_key *left, struct sort_key *right)
{
	struct sort_key kept = *left;

	*left = *right;
	*right = kept;
}

static void sift_down(struct sort_key *keys, size_t at, size_t count)
{
	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= count)
			return;
		if (child + 1 < count && less(&keys[child], &keys[child + 1]))
			child++;
		if (!less(&keys[at], &keys[child]))
			return;
		swap(&keys[at], &keys[child]);
		at = child;
	}
}

void sort_keys(struct sort_key *keys, size_t count)
{
	for (size_t at = count / 2; at-- > 0;)
		sift_down(keys, at, count);
	for (size_t end = count; end-- > 1;) {
		swap(&keys[0], &keys[end]);
		sift_down(keys, 0, end);
	}
}

size_t sort_find(const struct sort_key *keys, size_t count, uint64_t major, uint64_t minor)
{
	const struct sort_key wanted = { .major = major, .minor = minor };
	size_t low = 0;
	size_t high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (less(&keys[middle], &wanted))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
