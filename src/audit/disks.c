#include "audit/disks.h"

#define DEPTH_MAX 8 /* LVM on md on partitions, and some more */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Kernel names of devices whose data goes over a network. */
static const struct {
	const char *prefix;
	const char *network;
} NETWORK_DISKS[] = { { "nbd", "nbd" }, { "rbd", "rbd" }, { "drbd", "drbd" } };

static const struct {
	const char *prefix;
	const char *network;
} NETWORK_TYPES[] = { { "nfs", "nfs" },
		      { "cifs", "cifs" },
		      { "smb", "smb" },
		      { "ceph", "ceph" },
		      { "9p", "9p" },
		      { "virtiofs", "virtiofs" },
		      { "glusterfs", "glusterfs" },
		      { "fuse.", "fuse" } };

/* The whole disk that a partition is on; the name itself where it is no partition. */
static const char *whole_disk(struct facts *facts, const char *name)
{
	struct names disks;

	if (facts_exists(facts, facts_format(facts, "sys/block/%s", name)))
		return name;
	disks = facts_names(facts, "sys/block");
	for (size_t i = 0; i < disks.count; i++)
		if (starts(name, disks.name[i]) &&
		    facts_exists(facts,
				 facts_format(facts, "sys/block/%s/%s", disks.name[i], name)))
			return disks.name[i];
	return NULL;
}

/* "/dev/mapper/vg-swap" to "dm-0". */
static const char *mapped(struct facts *facts, const char *name)
{
	struct names disks = facts_names(facts, "sys/block");

	for (size_t i = 0; i < disks.count; i++) {
		struct fact mapper;

		if (!starts(disks.name[i], "dm-"))
			continue;
		mapper = fact_text(facts,
				   facts_format(facts, "sys/block/%s/dm/name", disks.name[i]));
		if (mapper.state == OK && strcmp(mapper.text, name) == 0)
			return disks.name[i];
	}
	return NULL;
}

static void look_at_transport(struct facts *facts, const char *disk, struct storage *out)
{
	struct fact transport =
		fact_text(facts, facts_format(facts, "sys/block/%s/device/transport", disk));
	struct fact model =
		fact_text(facts, facts_format(facts, "sys/block/%s/device/model", disk));
	const char *link = facts_link(facts, facts_format(facts, "sys/block/%s", disk));

	for (size_t i = 0; i < ARRAY_LEN(NETWORK_DISKS); i++)
		if (starts(disk, NETWORK_DISKS[i].prefix))
			out->network = NETWORK_DISKS[i].network;
	if (transport.state == OK && strcmp(transport.text, "pcie") != 0 &&
	    strcmp(transport.text, "loop") != 0)
		out->network = facts_format(facts, "nvme-%s", transport.text);
	if (strstr(link, "/session"))
		out->network = "iscsi";
	out->is_cloud = model.state == OK && (strstr(model.text, "Elastic Block Store") ||
					      strstr(model.text, "PersistentDisk"));
	out->virtual_disk =
		starts(disk, "vd") || starts(disk, "xvd") || strstr(link, "/virtio") ||
				(model.state == OK && (strstr(model.text, "QEMU") ||
						       strstr(model.text, "Virtual"))) ?
			ANSWER_YES :
			ANSWER_NO;
}

static void look_at_disk(struct facts *facts, const char *disk, struct storage *out)
{
	struct fact rotational =
		fact_number(facts, facts_format(facts, "sys/block/%s/queue/rotational", disk));

	out->disk = disk;
	out->is_zram |= starts(disk, "zram");
	out->is_zvol |= starts(disk, "zd");
	look_at_transport(facts, disk, out);
	if (rotational.state != OK)
		return;
	/* The flag of a virtual disk is what its host happens to say; that it does not rotate
	 * is believed, since it is not the default.
	 */
	if (rotational.number == 0)
		out->rotational = ANSWER_NO;
	else if (out->virtual_disk != ANSWER_YES)
		out->rotational = ANSWER_YES;
}

/* Down through dm and md; of several the first one counts, one level after the other. */
static void look_down(struct facts *facts, const char *name, struct storage *out)
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const char *disk = whole_disk(facts, name);
		struct names below;
		struct fact uuid;

		if (!disk)
			return;
		uuid = fact_text(facts, facts_format(facts, "sys/block/%s/dm/uuid", disk));
		if (uuid.state == OK && starts(uuid.text, "CRYPT-"))
			out->encrypted = ANSWER_YES;
		below = facts_names(facts, facts_format(facts, "sys/block/%s/slaves", disk));
		if (below.count == 0) {
			if (out->encrypted == ANSWER_UNKNOWN)
				out->encrypted = ANSWER_NO;
			look_at_disk(facts, disk, out);
			return;
		}
		name = below.name[0];
	}
}

static const char *name_of_device(struct facts *facts, const char *path)
{
	if (starts(path, "/dev/mapper/"))
		return mapped(facts, last_part(path));
	return last_part(path);
}

/* The device of a file system: by its source, else by its number. */
static const char *device_of(struct facts *facts, const struct fs_row *mount)
{
	const char *link;

	if (starts(mount->source, "/dev/") && strcmp(mount->source, "/dev/root") != 0)
		return name_of_device(facts, mount->source);
	link = facts_link(
		facts, facts_format(facts, "sys/dev/block/%u:%u", mount->major, mount->minor));
	return *link ? last_part(link) : NULL;
}

static void look_at_file(struct facts *facts, const char *path, struct storage *out)
{
	const struct fs_row *mount = fs_of(facts_mounts(facts), *path == '/' ? path + 1 : path);
	const char *device;

	if (!mount)
		return;
	if (starts(mount->type, "zfs")) {
		out->is_zvol = true;
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(NETWORK_TYPES); i++)
		if (starts(mount->type, NETWORK_TYPES[i].prefix)) {
			out->network = NETWORK_TYPES[i].network;
			return;
		}
	device = device_of(facts, mount);
	if (device)
		look_down(facts, device, out);
}

struct storage storage_of(struct facts *facts, const char *name)
{
	struct storage out = { .disk = "" };

	if (!starts(name, "/dev/"))
		look_at_file(facts, name, &out);
	else if (name_of_device(facts, name))
		look_down(facts, name_of_device(facts, name), &out);
	return out;
}

bool storage_same_disk(const struct storage *left, const struct storage *right)
{
	return *left->disk && strcmp(left->disk, right->disk) == 0;
}

int storage_speed(const struct storage *storage)
{
	if (storage->is_zram)
		return 3;
	if (storage->network || storage->is_cloud)
		return 0;
	if (storage->rotational == ANSWER_UNKNOWN)
		return -1;
	return storage->rotational == ANSWER_YES ? 1 : 2;
}
