# shellcheck shell=bash
# What the tests that put a real machine under pressure share: cgroups, loads, a swap file, and
# that nothing of it is left behind, whatever happens.
#
# Sourced by tests that are called with REFAULT GUEST PROGRESS in front: the guest's program has
# the loads.
refault=$1
load=$2
progress=$3

name=refault-test-$$
temporary=${TMPDIR:-/tmp}
folder=$temporary/$name
pids=()
groups=() # folders of cgroups, parents first
swap=

skip()
{
	echo "skipped: $1"
	exit 77
}

fail()
{
	echo "FAILED: $1"
	exit 1
}

# mount_of TYPE OPTION: the mount point of a hierarchy, or nothing.
mount_of()
{
	awk -v type="$1" -v option="$2" '
		$3 == type && (option == "" || ("," $4 ",") ~ ("," option ",")) { print $2; exit }
	' /proc/self/mounts
}

v2=$(mount_of cgroup2 "")
v1=$(mount_of cgroup memory)
blkio=$(mount_of cgroup blkio)

# Processes in cgroups of that name were started by the test that made them, and nobody else.
remove_groups()
{
	local group pid
	for group in "$v2/$1"/*/ "$v1/$1"/*/ "$blkio/$1"/*/ "$v2/$1" "$v1/$1" "$blkio/$1"; do
		[ -f "$group/cgroup.procs" ] || continue
		while read -r pid; do
			kill -KILL "$pid" 2>/dev/null
		done <"$group/cgroup.procs"
		rmdir_soon "$group"
	done
}

# A cgroup can be removed once its last process is reaped.
rmdir_soon()
{
	local tries
	for tries in $(seq 50); do
		rmdir "$1" 2>/dev/null && return
		[ -d "$1" ] || return
		sleep 0.1
	done
	echo "cannot remove $1 after $tries tries"
}

remove_swap()
{
	[ -n "$1" ] || return
	swapoff "$1" 2>/dev/null
	rm -f "$1"
}

# What a test that was killed has left: its name holds its pid.
clear_left_over()
{
	local path pid
	for path in "$temporary"/refault-test-* "$v2"/refault-test-* "$v1"/refault-test-* \
		"$blkio"/refault-test-*; do
		pid=${path##*-}
		if ! [ -e "$path" ] || [ -d "/proc/$pid" ]; then
			continue
		fi
		remove_groups "refault-test-$pid"
		remove_swap "$temporary/refault-test-$pid/swap"
		rm -rf "${temporary:?}/refault-test-$pid"
	done
}

finish()
{
	local status=$? pid
	trap '' TERM INT HUP
	for pid in "${pids[@]}"; do
		kill -KILL "$pid" 2>/dev/null
	done
	remove_groups "$name"
	remove_swap "$swap"
	rm -rf "$folder"
	exit "$status"
}

# Ends with a reason where this machine cannot do it.
begin()
{
	[ "$(id -u)" -eq 0 ] || skip "needs root, to make cgroups"
	command -v jq >/dev/null || skip "needs jq"
	[ -n "$v2" ] || skip "cgroup2 is not mounted"
	if [ -z "$v1" ] && ! grep -qw memory "$v2/cgroup.subtree_control"; then
		skip "neither cgroup2 nor v1 has the memory controller for children"
	fi
	cat /proc/pressure/memory >/dev/null 2>&1 || skip "this kernel shows no pressure"
	# One load at a time on this machine, whoever else tests on it.
	exec 9<"$v2/cgroup.procs"
	flock --wait 180 9 || skip "another test keeps this machine busy"
	clear_left_over
	trap finish EXIT
	trap 'exit 143' TERM INT HUP
	mkdir "$folder" || fail "cannot make $folder"
	group_make ""
	[ -z "$v1" ] && { echo "+memory +io" >"$v2/$name/cgroup.subtree_control" ||
		skip "controllers cannot be switched on"; }
	return 0
}

# group_make CHILD: a cgroup below the test's own, in every hierarchy that is used.
group_make()
{
	local mount
	for mount in "$v2" ${v1:+"$v1"} ${blkio:+"$blkio"}; do
		mkdir "$mount/$name/$1" || skip "cannot make a cgroup in $mount"
		groups+=("$mount/$name/$1")
	done
}

# limit CHILD MIB
limit()
{
	if [ -n "$v1" ]; then
		echo $(($2 << 20)) >"$v1/$name/$1/memory.limit_in_bytes"
	else
		echo $(($2 << 20)) >"$v2/$name/$1/memory.max"
	fi || fail "cannot limit $1"
}

# disk_of FOLDER: MAJOR:MINOR of the disk that it lies on, the whole of it.
disk_of()
{
	local device
	device=$(mountpoint -d "$(df --output=target "$1" | tail -n 1)")
	[ -e "/sys/dev/block/$device" ] || return
	if [ -e "/sys/dev/block/$device/partition" ]; then
		cat "/sys/dev/block/$device/../dev"
	else
		echo "$device"
	fi
}

# throttle CHILD MIB_PER_SECOND: what it may read from the disk.
throttle()
{
	local disk
	disk=$(disk_of "$folder")
	[ -n "$disk" ] || skip "$folder is not on a disk"
	if [ -n "$blkio" ]; then
		echo "$disk $(($2 << 20))" >"$blkio/$name/$1/blkio.throttle.read_bps_device"
	else
		echo "$disk rbps=$(($2 << 20))" >"$v2/$name/$1/io.max"
	fi || skip "the disk cannot be throttled"
}

# start CHILD NAME [KEY=VALUE...]: a load in a cgroup; it dies with this test. It goes before
# whatever else this machine is busy with, else that would be measured.
start()
{
	local child=$1 mount files=""
	shift
	for mount in "$v2" ${v1:+"$v1"} ${blkio:+"$blkio"}; do
		files="$files $mount/$name/$child/cgroup.procs"
	done
	"$progress" "$folder/$child.progress" make || fail "cannot make a file in $folder"
	# shellcheck disable=SC2016 # the inner shell expands
	FILES=$files setpriv --pdeathsig KILL sh -c '
		for file in $FILES; do echo $$ >"$file" || exit 1; done
		exec chrt --rr 1 "$@"
	' sh "$load" "$@" progress="$folder/$child.progress" 9<&- &
	pids+=($!)
	disown # bash need not say that it was killed
}

# steady CHILD size|rounds LEAST SECONDS: the load says so in its progress.
steady()
{
	"$progress" "$folder/$1.progress" "$2" "$3" "$4" || fail "$1 did not get going in $4 s"
}

# file_make NAME MIB: on the disk, and not in the cache.
file_make()
{
	dd if=/dev/zero of="$folder/$1" bs=1M count="$2" conv=fdatasync 2>/dev/null ||
		skip "cannot write $2 MiB to $folder"
	dd of="$folder/$1" oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null ||
		skip "cannot drop $1 from the cache"
}

swap_make()
{
	swap=$folder/swap
	{
		touch "$swap" && chmod 600 "$swap" && fallocate -l "$1M" "$swap" &&
			mkswap "$swap" && swapon "$swap"
	} >"$folder/swap.log" 2>&1 || skip "cannot make swap: $(tail -n 1 "$folder/swap.log")"
}

# diagnose [OPTION...]: leaves the verdict in $folder/verdict.json and the exit status in $status.
diagnose()
{
	"$refault" diagnose --json --cgroup "$name" --duration 4s ${SAVE:+--save "$SAVE"} "$@" \
		>"$folder/verdict.json" &
	pids+=($!)
	wait $! # so that a signal need not wait for it
	status=$?
	unset 'pids[-1]'
}

# expect STATUS FILTER...: the exit status, and what must hold for the verdict, $name being known.
expect()
{
	local filter
	[ "$status" -eq "$1" ] || complain "exit status $status instead of $1"
	shift
	for filter; do
		jq -e --arg name "$name" "$filter" "$folder/verdict.json" >/dev/null ||
			complain "$filter"
	done
	[ -z "$complaint" ] || fail "$complaint"
	jq -r '"\(.class): \(.sufferers[0].cgroup) \(.sufferers[0].lost_lower) \(.culprits[0].cgroup)"' \
		"$folder/verdict.json"
}

complaint=
complain()
{
	[ -n "$complaint" ] || cat "$folder/verdict.json"
	complaint="$complaint${complaint:+; }$1"
}
