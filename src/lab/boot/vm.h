#pragma once
/*
 * One boot of the virtual machine, watched until it ends or is ended.
 */
#include "lab/boot/command.h"
#include "lab/boot/process.h"

enum vm_end {
	VM_ENDED,   /* by itself: the guest asked for it, or its kernel panicked */
	VM_TIMEOUT, /* at the wall-clock limit */
	VM_STOPPED,
	VM_FAILED, /* qemu did not start, or gave up */
};

struct vm {
	const struct command *command; /* all borrowed */
	const char *folder;	       /* it runs there */
	const struct machine *machine;
	void (*live)(void *data, struct span line);
	void *data;
	stop_flag stop;
};

struct vm_result {
	enum vm_end end;
	uint64_t wall_us;
	uint64_t first_line_us; /* when the guest first said something, vm_now_us(); 0 never */
	double delay_percent;	/* NAN: this host does not tell */
};

/* 0 or -errno. Nothing of it is left when this returns. */
must_check int vm_run(const struct vm *vm, struct vm_result *out);

/* The clock that is used. */
uint64_t vm_now_us(void);

/* True when /dev/kvm is there, may be used, and answers. */
bool vm_has_kvm(void);
