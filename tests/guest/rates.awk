# Rates per second between the lines of one cgroup (or of the machine: "/") in a timeline.

function number(key) {
	return (key in now) ? now[key] + 0 : 0
}

function rate(key) {
	return (number(key) - before[key]) / dt
}

function percent(key) {
	return rate(key) / 10000
}

function report(place,    part) {
	split(now["report"], part, ",")
	return part[place] + 0
}

function common() {
	return sprintf("%7.2f mem %3d/%3d%% io %3d/%3d%% cpu %3d%%", at, percent("memory_some"), percent("memory_full"), percent("io_some"), percent("io_full"), percent("cpu_some"))
}

function machine_line() {
	printf "%s avail %3d free %3d refile %5d reanon %5d scanD %5d stealK %5d stealD %5d allocst %3d si %5d so %5d in %5.1f out %5.1f MiB/s majf %4d nodercl %4d oom %d shmem %d unev %d sunr %d pt %d swapfree %d dirty %d cstall %d cfail %d thp %d fb %d\n", common(), number("MemAvailable:") / 1024, number("MemFree:") / 1024, rate("workingset_refault_file"), rate("workingset_refault_anon"), rate("pgscan_direct"), rate("pgsteal_kswapd"), rate("pgsteal_direct"), rate("allocstall"), rate("pswpin"), rate("pswpout"), rate("pgpgin") / 1024, rate("pgpgout") / 1024, rate("pgmajfault"), rate("workingset_nodereclaim"), number("oom_kill"), number("Shmem:") / 1024, number("Unevictable:") / 1024, number("SUnreclaim:") / 1024, number("PageTables:") / 1024, number("SwapFree:") / 1024, number("Dirty:") / 1024, rate("compact_stall"), rate("compact_fail"), rate("thp_fault_alloc"), rate("thp_fault_fallback")
}

function group_line() {
	printf "%s cur %3d anon %3d mapped %3d kern %3d ticks %4.1f late %4.1f longest %d size %d refile %5d reanon %5d steal %5d majf %4d read %5.1f MiB/s high %4d max %4d oomk %d swap %d cpuuse %3d%%\n", common(), number("current") / 1048576, number("anon") / 1048576, number("file_mapped") / 1048576, number("kernel") / 1048576, (report(2) - done) / dt, (report(3) - late) / dt, report(4), report(5) / 1024, rate("workingset_refault_file"), rate("workingset_refault_anon"), rate("pgsteal"), rate("pgmajfault"), rate("rbytes") / 1048576, rate("high"), rate("max"), number("oom_kill"), number("swap") / 1048576, percent("cpu_usec")
}

$2 == group {
	split("", now)
	at = $1
	for (i = 3; i <= NF; i++) {
		cut = index($i, "=")
		now[substr($i, 1, cut - 1)] = substr($i, cut + 1)
	}
	if (last) {
		dt = at - last
		if (group == "/")
			machine_line()
		else
			group_line()
	}
	last = at
	done = report(2)
	late = report(3)
	split("", before)
	for (key in now)
		before[key] = now[key] + 0
}
