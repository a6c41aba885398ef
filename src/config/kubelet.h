#pragma once
/*
 * The kubelet's configuration: YAML or JSON, read by libyaml, with its drop-ins (*.conf of
 * --config-dir, KEP-3983). A scalar becomes a row with the path to it as key
 * ("memorySwap.swapBehavior", "evictionHard.memory.available"; "[0]" in lists).
 */
#include "config/config.h"

/* path and folder without leading slash; folder may be NULL. 0 or -ENOMEM. */
must_check int kubelet_read(const struct reader *reader, const char *path, const char *folder,
			    struct config *out);
must_check int kubelet_parse(const struct reader *reader, const char *file, struct span text,
			     struct config *out);
