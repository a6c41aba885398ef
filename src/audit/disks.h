#pragma once
/*
 * What a swap or a file lies on: through partitions, dm and md down to whole disks.
 */
#include "audit/facts.h"

enum answer {
	ANSWER_UNKNOWN,
	ANSWER_NO,
	ANSWER_YES,
};

struct storage {
	const char *disk;	/* "sda", "vda", "zram0"; "" unknown */
	enum answer rotational; /* UNKNOWN also for virtual disks, whose flag is known to lie */
	enum answer virtual_disk; /* virtio, Xen, Hyper-V, QEMU's SCSI */
	enum answer encrypted;	  /* some dm on the way is CRYPT- */
	const char
		*network; /* "nfs", "nbd", "rbd", "drbd", "iscsi", "nvme-tcp" …; NULL local */
	bool is_zvol;
	bool is_zram;
	bool is_cloud; /* a cloud's block device (EBS and its kin) */
};

/* name: "/dev/sda2", "/dev/dm-0" or "/dev/mapper/x" or the path of a swap file. */
struct storage storage_of(struct facts *facts, const char *name);
bool storage_same_disk(const struct storage *left, const struct storage *right);

/* Faster is larger: zram 3, SSD 2, rotating 1, network 0; -1 unknown. */
int storage_speed(const struct storage *storage);
