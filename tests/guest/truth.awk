# What happened while the recording ran: from the marks in a log and the timeline.
# Before and after mean before and after the onset: the first second in which the sufferer stalled
# for more than 10 % or did less than 80 % of its slots, or else the last thing that was started.

FNR == NR && $1 !~ /^[0-9.]+$/ && !/Killed process/ {
	next
}

FNR == NR {
	if ($2 == "record" && !first_at) {
		first_at = $1
		frames = $3
		interval = $6 ~ /ms$/ ? $6 / 1000 : $6 + 0
	}
	if ($2 == "recorded,")
		end_at = $1
	if ($2 == "start" && first_at && !end_at)
		begun_at = $1
	if ($2 == "host_delay")
		host_delay = $3
	if (/Out of memory: Killed process/ || /Memory cgroup out of memory: Killed/)
		killed = $0
	next
}

function keep(    i, cut) {
	rows[$2] += 0
	for (i = 3; i <= NF; i++) {
		cut = index($i, "=")
		value[$2, substr($i, 1, cut - 1), rows[$2]] = substr($i, cut + 1)
	}
	at[$2, rows[$2]] = $1
	rows[$2]++
}

$1 >= first_at - 0.5 && (!end_at || $1 <= end_at + 0.5) {
	keep()
}

function slots(group, row,    part) {
	split(value[group, "report", row], part, ",")
	return part[2] + 0
}

function slots_per_second(group, from, to) {
	if (to <= from)
		return "-"
	return sprintf("%.1f", (slots(group, to) - slots(group, from)) / (at[group, to] - at[group, from]))
}

function missed(row) {
	return slots(sufferer, row - 1) && slots(sufferer, row) - slots(sufferer, row - 1) < \
		8 * (at[sufferer, row] - at[sufferer, row - 1])
}

function stalled(row) {
	return mean(sufferer, "memory_some", row - 1, row) + \
		mean(sufferer, "io_some", row - 1, row) > 100000
}

# The row of the sufferer before the first that shows harm; -1 if none does.
function onset_row(    i) {
	for (i = 1; i < rows[sufferer]; i++)
		if (missed(i) || stalled(i))
			return i - 1
	return -1
}

function row_at(group, when,    i) {
	for (i = 0; i < rows[group] - 1 && at[group, i] < when; i++)
		;
	return i
}

function mean(group, key, from, to) {
	if (to <= from)
		return 0
	return (value[group, key, to] - value[group, key, from]) / (at[group, to] - at[group, from])
}

function span(name, group, from, to) {
	if (to <= from)
		return
	printf "%s_memory_some=%.0f%%\n", name, mean(group, "memory_some", from, to) / 10000
	printf "%s_io_some=%.0f%%\n", name, mean(group, "io_some", from, to) / 10000
	printf "%s_cpu_some=%.0f%%\n", name, mean(group, "cpu_some", from, to) / 10000
	printf "%s_refault_file_per_second=%.0f\n", name, mean(group, "workingset_refault_file", from, to)
	printf "%s_refault_anon_per_second=%.0f\n", name, mean(group, "workingset_refault_anon", from, to)
}

function machine(from, to) {
	printf "machine_available_mib=%.0f,%.0f\n", value["/", "MemAvailable:", 0] / 1024, \
		value["/", "MemAvailable:", to] / 1024
	printf "machine_read_mib_per_second=%.1f\n", mean("/", "pgpgin", from, to) / 1024
	printf "machine_swap_pages_per_second=in %.0f out %.0f\n", \
		mean("/", "pswpin", from, to), mean("/", "pswpout", from, to)
	printf "machine_allocstall_per_second=%.1f\n", mean("/", "allocstall", from, to)
	printf "machine_compact_stall_per_second=%.1f\n", mean("/", "compact_stall", from, to)
	printf "machine_refault_file_per_second=%.0f\n", mean("/", "workingset_refault_file", from, to)
}

END {
	onset = sufferer ? onset_row() : -1
	onset_at = onset >= 0 ? at[sufferer, onset] : (begun_at ? begun_at : first_at)
	printf "frames=%d\ninterval_s=%s\n", frames, interval
	printf "onset_frame=%.0f\n", (onset_at - first_at) / interval
	if (sufferer) {
		onset = row_at(sufferer, onset_at)
		span("before", sufferer, 0, onset)
		span("after", sufferer, onset, rows[sufferer] - 1)
	}
	for (group in rows)
		if (slots(group, rows[group] - 1))
			printf "slots_per_second=%s %s before, %s after\n", group, \
				slots_per_second(group, 0, row_at(group, onset_at)), \
				slots_per_second(group, row_at(group, onset_at), rows[group] - 1)
	machine(row_at("/", onset_at), rows["/"] - 1)
	if (killed)
		printf "killed=%s\n", killed
	if (host_delay)
		print "host_delay=" host_delay
}
