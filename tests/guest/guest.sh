# shellcheck shell=sh
# The words that a scenario is written in. Read by the guest's pid 1; busybox sh.

cgroups=/sys/fs/cgroup

mark() { # words: what happens now
	echo "$(cut -d ' ' -f 1 /proc/uptime) $*" >>/run/marks
	echo "guest: $*" >/dev/console
}

# cgroup with its ancestors: group system.slice/api.service [FILE=VALUE]...
group() {
	path=$1
	shift
	made=$cgroups
	for name in $(echo "$path" | tr / ' '); do
		echo '+cpu +io +memory +pids' >"$made/cgroup.subtree_control"
		made=$made/$name
		mkdir -p "$made"
	done
	for setting in "$@"; do
		echo "${setting#*=}" >"$made/${setting%%=*}"
	done
	grep -qxF "$path" /run/groups || echo "$path" >>/run/groups
}

# A load in a cgroup: start CGROUP PROGRAM LOAD [key=value]...
# Programs are copies of the load program on the throttled disk, one for each role, so that
# each has code of its own that can be evicted.
start() {
	path=$1 program=$2
	shift 2
	(
		echo 0 >"$cgroups/$path/cgroup.procs"
		echo 0 >/proc/self/oom_score_adj
		exec "/data/bin/$program" "$@" report="/run/report/${path##*/}"
	) &
	mark "start $path $program $*"
}

meminfo_mib() { # key
	awk -v key="$1:" '$1 == key { print int($2 / 1024) }' /proc/meminfo
}

# Base of a leak that leaves so many MiB of MemAvailable.
all_but() { # MiB
	echo $(($(meminfo_mib MemAvailable) - $1))
}

size_mib() { # cgroup: what its load says it holds
	awk '{ print int($5 / 1024) }' "/run/report/${1##*/}" 2>/dev/null || echo 0
}

# wait_for SECONDS COMMAND...: until the command is true, at most so long.
wait_for() {
	rounds=$(($1 * 5))
	shift
	while [ "$rounds" -gt 0 ] && ! "$@"; do
		sleep 0.2
		rounds=$((rounds - 1))
	done
	[ "$rounds" -gt 0 ] || mark "gave up waiting for: $*"
}

available_below() { # MiB
	[ "$(meminfo_mib MemAvailable)" -lt "$1" ]
}

size_reaches() { # cgroup MiB
	[ "$(size_mib "$1")" -ge "$2" ]
}

current_reaches() { # cgroup MiB
	[ "$(($(cat "$cgroups/$1/memory.current") / 1048576))" -ge "$2" ]
}

# What a cgroup cannot do without: anonymous memory and mapped files; not the rest of its cache.
needs_reach() { # cgroup MiB
	[ "$(awk '$1 == "anon" || $1 == "file_mapped" { sum += $2 } END { print int(sum / 1048576) }' \
		"$cgroups/$1/memory.stat")" -ge "$2" ]
}

free_below() { # MiB
	[ "$(meminfo_mib MemFree)" -lt "$1" ]
}

swapped() { # MiB
	[ $(($(meminfo_mib SwapTotal) - $(meminfo_mib SwapFree))) -ge "$1" ]
}

rounds_reach() { # cgroup N
	[ "$(awk '{ print $1 }' "/run/report/${1##*/}")" -ge "$2" ]
}

node_free_mib() { # node
	awk '$3 == "MemFree:" { print int($4 / 1024) }' "/sys/devices/system/node/node$1/meminfo"
}

node_free_below() { # node MiB
	[ "$(node_free_mib "$1")" -lt "$2" ]
}

thp() { # enabled, defrag
	echo "$1" >/sys/kernel/mm/transparent_hugepage/enabled
	echo "$2" >/sys/kernel/mm/transparent_hugepage/defrag
}

# The recording: frames, interval. Begin it before the trouble begins.
record_start() {
	mark "record $1 frames every $2"
	if [ -x /bin/refault ]; then
		refault capture /results/rec.tar.zst --frames "$1" --interval "$2" \
			>/run/capture.log 2>&1 &
	else
		sleep "$1" &
	fi
	recorder=$!
}

record_wait() {
	wait "$recorder"
	mark "recorded, status $?"
	cp /run/capture.log /results/ 2>/dev/null
}

record() { # frames, interval
	record_start "$1" "$2"
	record_wait
}

guest_begin() {
	: >/run/groups
	: >/run/marks
	mark "memory $(meminfo_mib MemTotal) MiB, swap $(meminfo_mib SwapTotal) MiB"
	group init.scope
	echo 1 >$cgroups/init.scope/cgroup.procs
	echo -1000 >/proc/self/oom_score_adj
	awk -f /timeline.awk >/run/timeline 2>/dev/null &
	group system.slice/sshd.service
	group user.slice
	start system.slice/sshd.service sshd idle
}
