# The observer: once a second one line for the machine and one for each cgroup, raw counters.
# It lives in the initramfs, so nothing of it can be evicted.

function slurp(path, into,    line, part) {
	split("", into)
	while ((getline line < path) > 0) {
		split(line, part, " ")
		into[part[1]] = part[2]
	}
	close(path)
}

function first_line(path,    line) {
	line = ""
	getline line < path
	close(path)
	return line
}

# Microseconds of stall in a pressure file.
function pressure(path, kind,    line, part, total) {
	total = "-"
	while ((getline line < path) > 0) {
		split(line, part, " ")
		if (part[1] == kind)
			total = substr(part[5], 7)
	}
	close(path)
	return total
}

function io_bytes(path,    line, part, n, i, sum) {
	sum = 0
	while ((getline line < path) > 0) {
		n = split(line, part, " ")
		for (i = 2; i <= n; i++)
			if (part[i] ~ /^rbytes=/)
				sum += substr(part[i], 8)
	}
	close(path)
	return sum
}

function keys_of(table, names,    n, i, part, text) {
	n = split(names, part, " ")
	text = ""
	for (i = 1; i <= n; i++)
		text = text " " part[i] "=" ((part[i] in table) ? table[part[i]] : "-")
	return text
}

function machine(at,    vm, mem, stalls) {
	slurp("/proc/vmstat", vm)
	slurp("/proc/meminfo", mem)
	stalls = vm["allocstall_dma"] + vm["allocstall_dma32"] + vm["allocstall_normal"] + \
		vm["allocstall_movable"]
	print at, "/", keys_of(mem, "MemTotal: MemFree: MemAvailable: SwapFree: Shmem: Unevictable: SUnreclaim: PageTables: Dirty: Writeback:") \
		keys_of(vm, VMSTAT), "allocstall=" stalls, \
		"memory_some=" pressure("/proc/pressure/memory", "some"), \
		"memory_full=" pressure("/proc/pressure/memory", "full"), \
		"io_some=" pressure("/proc/pressure/io", "some"), \
		"io_full=" pressure("/proc/pressure/io", "full"), \
		"cpu_some=" pressure("/proc/pressure/cpu", "some")
}

function cgroup(at, path,    dir, stat, events, cpu, leaf) {
	dir = "/sys/fs/cgroup/" path "/"
	leaf = path
	sub(/.*\//, "", leaf)
	slurp(dir "memory.stat", stat)
	slurp(dir "memory.events", events)
	slurp(dir "cpu.stat", cpu)
	print at, path, "current=" first_line(dir "memory.current") \
		keys_of(stat, MEMSTAT) keys_of(events, "high max oom oom_kill"), \
		"memory_some=" pressure(dir "memory.pressure", "some"), \
		"memory_full=" pressure(dir "memory.pressure", "full"), \
		"io_some=" pressure(dir "io.pressure", "some"), \
		"io_full=" pressure(dir "io.pressure", "full"), \
		"cpu_some=" pressure(dir "cpu.pressure", "some"), \
		"rbytes=" io_bytes(dir "io.stat"), \
		"cpu_usec=" cpu["usage_usec"], \
		"swap=" first_line(dir "memory.swap.current"), \
		"report=" report_of(leaf)
}

function report_of(leaf,    line) {
	line = first_line("/run/report/" leaf)
	gsub(/^ +/, "", line)
	gsub(/ +/, ",", line)
	return line
}

BEGIN {
	VMSTAT = "workingset_refault_file workingset_refault_anon workingset_nodereclaim " \
		"pgscan_kswapd pgscan_direct pgsteal_kswapd pgsteal_direct pgsteal_file pgsteal_anon " \
		"pswpin pswpout pgpgin pgpgout pgmajfault oom_kill compact_stall compact_fail " \
		"thp_fault_alloc thp_fault_fallback nr_mapped nr_active_file nr_inactive_file"
	MEMSTAT = "anon file file_mapped shmem kernel pagetables slab unevictable " \
		"workingset_refault_file workingset_refault_anon workingset_activate_file " \
		"pgsteal pgscan pgmajfault"
	for (;;) {
		split(first_line("/proc/uptime"), up, " ")
		machine(up[1])
		while ((getline path < "/run/groups") > 0)
			cgroup(up[1], path)
		close("/run/groups")
		fflush()
		system("sleep 1")
	}
}
