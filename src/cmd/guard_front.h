#pragma once
/*
 * refault guard: the front of the guard. It may wait, so it does all that is not urgent: the
 * configuration, what is said, status, hooks, tapes, services. The loop (refault-guard)
 * decides.
 */
#include <systemd/sd-event.h>

#include "cmd/cmd.h"
#include "guard/print.h"
#include "guard/shared.h"
#include "guard/show.h"
#include "guard/tapes.h"

struct guard_arguments {
	const char *root;
	const char *from;
	const char *config; /* the folder below which /etc is; NULL: "/" */
	const char *why;
	const char *run_directory;
	const char *state_directory;
	bool json;
	bool dry;
	bool check_config;
	bool print_config;
	bool status;
};

#define GUARD_SOCKET "guard.sock"

/* --- says: records to stdout and the journal --- */

struct says {
	bool json;
	int journal; /* owned; -1: what is said goes to stdout */
	struct guard_record kept[RECORDS_KEPT];
	uint64_t count; /* all that there have been */
	uint64_t said;	/* so many went to the journal */
};

void says_init(struct says *says, bool json);
void says_done(struct says *says);
void says_record(struct says *says, const struct guard_record *record);

/* What the journal did not take at once is tried again. */
void says_again(struct says *says);

/* The kept ones, oldest first. */
size_t says_kept(const struct says *says, struct guard_record out[RECORDS_KEPT]);

/* --- the front --- */

struct front;

/* A hook that runs. */
struct hook_run {
	pid_t pid; /* 0 none */
	uint64_t decision;
	bool timed_out;
	sd_event_source *child; /* owned */
	sd_event_source *timer; /* owned */
};

#define CLIENTS_MAX 8
struct client {
	struct front *front; /* borrowed; NULL is free */
	int fd;		     /* owned */
	char request[512];
	size_t got;
	char *answer; /* owned */
	size_t size;
	size_t sent;
	sd_event_source *io;	/* owned */
	sd_event_source *timer; /* owned */
};

struct tape_box {
	struct tapes tapes;
	int directory; /* owned; -1: nothing is kept */
	bool complained;
	bool is_due; /* a recording is written at due_us */
	struct tape_order order;
	uint64_t due_us; /* CLOCK_BOOTTIME */
};

struct front {
	const struct guard_arguments *arguments;
	struct shared *shared; /* owned: mapped */
	size_t shared_size;
	int memory; /* owned: memfd */
	int wake;   /* owned: eventfd */
	pid_t loop;
	sd_event *event; /* owned */
	struct says says;
	uint64_t seen; /* records of the loop that were said */
	struct tape_box box;
	struct hook_run hook;
	uint64_t hook_seen;
	int listener; /* owned; -1 */
	char socket[256];
	struct client client[CLIENTS_MAX];
	uint64_t switched_us; /* CLOCK_MONOTONIC: when the configuration was */
	uint64_t services_at_us;
	uint64_t watchdog_us; /* 0: nobody asks for it */
	bool observe;	      /* made to observe */
	bool stalled;	      /* said already */
	int status;
};

uint64_t boottime_us(void);
uint64_t monotonic_us(void);

/* A record of the front's own, with the time filled in. */
struct guard_record front_record(enum record_kind kind);

/* 0, or an exit status after one sentence. */
must_check int shared_open(struct front *front);
void shared_close(struct front *front);
must_check int loop_start(struct front *front);
void loop_end(struct front *front);

/* Says so when a limit of its own cgroup, or of one above it, can hold it up. */
void front_warn_limits(void);

/* Reads the configuration; false and a sentence in text when it is bad. */
bool guard_config_load(const struct guard_arguments *arguments, struct guard_config *out,
		       struct text *complaint);
/* In the form in which it is read. */
void guard_config_print(FILE *file, const struct guard_config *config);
const struct guard_config *front_config(const struct front *front);

/* First the socket, so that there is one guard only; it is served once there is an event loop.
 */
must_check int socket_open(struct front *front);
must_check int socket_serve(struct front *front);
void socket_close(struct front *front);

void hook_look(struct front *front);
void hook_close(struct front *front);

/* A folder and those above it, as far as they are missing. */
void make_folders(const char *path);

void box_open(struct front *front);
void box_close(struct front *front);
void box_drain(struct front *front);
void box_record(struct front *front, const struct guard_record *record);
void box_write_due(struct front *front);
void box_dump(struct front *front);

/* Once a minute, and never while memory is short: who serves, and what systemd says of others.
 */
void services_look(struct front *front);

/*
 * Adds what the service manager knows to serve: units that are Type=notify or dbus. How far
 * systemd-oomd reaches (enum other_scope). Both do nothing where no systemd runs, and give up
 * soon.
 */
void bus_services(struct service_list *list);
uint32_t bus_oomd_scope(void);
void service_add(struct service_list *list, uint64_t id);

/* --check-config and --print-config: an exit status. */
int guard_check_config(const struct guard_arguments *arguments);
int guard_print_config(const struct guard_arguments *arguments);

int guard_live(const struct guard_arguments *arguments);
int guard_replay(const struct guard_arguments *arguments);
int guard_ask(const struct guard_arguments *arguments);
