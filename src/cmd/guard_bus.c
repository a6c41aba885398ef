#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

#include "cmd/guard_front.h"
#include "kernel/host.h"
#include "policy/others.h"

#define MANAGER "org.freedesktop.systemd1"
#define MANAGER_PATH "/org/freedesktop/systemd1"
#define SERVICE MANAGER ".Service"

/* For one call, and for all of them. */
#define CALL_US (SECOND_US / 2)
#define ALL_US (3 * SECOND_US)

/* NULL where no systemd runs or the bus cannot be reached. */
static sd_bus *bus_open(void)
{
	sd_bus *bus = NULL;

	if (sd_booted() <= 0 || sd_bus_open_system(&bus) < 0)
		return NULL;
	sd_bus_set_method_call_timeout(bus, CALL_US);
	return bus;
}

static bool is_managed(sd_bus *bus, const char *property, bool *out)
{
	char *value = NULL;
	int r = sd_bus_get_property_string(bus, MANAGER, MANAGER_PATH "/unit/_2d_2eslice",
					   MANAGER ".Slice", property, NULL, &value);

	*out = r >= 0 && strcmp(value, "kill") == 0;
	free(value);
	return r >= 0;
}

uint32_t bus_oomd_scope(void)
{
	sd_bus *bus = bus_open();
	bool by_swap = false;
	bool by_pressure = false;
	bool is_known;

	if (!bus)
		return OTHER_UNKNOWN;
	is_known = is_managed(bus, "ManagedOOMSwap", &by_swap) &&
		   is_managed(bus, "ManagedOOMMemoryPressure", &by_pressure);
	sd_bus_flush_close_unref(bus);
	if (!is_known)
		return OTHER_UNKNOWN;
	return by_swap || by_pressure ? OTHER_MACHINE : OTHER_UNITS;
}

static bool says_when_ready(sd_bus *bus, const char *unit)
{
	char *type = NULL;
	bool yes = false;

	if (sd_bus_get_property_string(bus, MANAGER, unit, SERVICE, "Type", NULL, &type) >= 0)
		yes = strcmp(type, "notify") == 0 || strcmp(type, "notify-reload") == 0 ||
		      strcmp(type, "dbus") == 0;
	free(type);
	return yes;
}

/* Where its cgroup is, and the kernel's number of it. */
struct tree {
	struct root root;
	struct mounts mounts;
};

static void add_unit(sd_bus *bus, const char *unit, const struct tree *tree,
		     struct service_list *list)
{
	char path[4096];
	struct text text = text_on(path, sizeof(path));
	char *group = NULL;
	uint64_t id;

	if (!says_when_ready(bus, unit))
		return;
	if (sd_bus_get_property_string(bus, MANAGER, unit, SERVICE, "ControlGroup", NULL,
				       &group) >= 0 &&
	    group[0] == '/') {
		text_add(&text, "%s%s", tree->mounts.v2, group);
		/* 0, or that the cgroup has none below it. */
		if (!text.cut && root_id(&tree->root, path, &id) >= 0)
			service_add(list, id);
	}
	free(group);
}

static void add_units(sd_bus *bus, sd_bus_message *reply, const struct tree *tree,
		      struct service_list *list)
{
	uint64_t begin = monotonic_us();
	const char *unit;

	if (sd_bus_message_enter_container(reply, 'a', "(ssssssouso)") < 0)
		return;
	while (monotonic_us() - begin < ALL_US &&
	       sd_bus_message_read(reply, "(ssssssouso)", NULL, NULL, NULL, NULL, NULL, NULL,
				   &unit, NULL, NULL, NULL) > 0)
		add_unit(bus, unit, tree, list);
}

static void list_units(sd_bus *bus, const struct tree *tree, struct service_list *list)
{
	sd_bus_message *reply = NULL;

	if (sd_bus_call_method(bus, MANAGER, MANAGER_PATH, MANAGER ".Manager",
			       "ListUnitsByPatterns", NULL, &reply, "asas", 1, "running", 1,
			       "*.service") >= 0)
		add_units(bus, reply, tree, list);
	sd_bus_message_unref(reply);
}

void bus_services(struct service_list *list)
{
	static char buffer[1 << 16];
	struct tree tree = { 0 };
	sd_bus *bus = bus_open();

	if (!bus)
		return;
	if (root_open("/", &tree.root) == 0) {
		mounts_read(&tree.root, (struct buffer){ buffer, sizeof(buffer) },
			    &tree.mounts);
		if (tree.mounts.v2[0])
			list_units(bus, &tree, list);
		root_done(&tree.root);
	}
	sd_bus_flush_close_unref(bus);
}
