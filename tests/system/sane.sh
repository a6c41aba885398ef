# shellcheck shell=bash
# What the tests of bad input share: they count in $failed what refault, which is $refault, does
# against its manual.
#
# shellcheck disable=SC2154 # $refault and $failed are made by the test

complain()
{
	echo "FAILED: $1"
	sed 's/^/	/' err | cut -c 1-200 | head -n 5
	failed=$((failed + 1))
}

# What must not happen, whatever the status: a signal, a sanitizer's report, an assertion.
check_sane()
{
	[ "$status" -le 4 ] || complain "$1: ended with $status"
	if grep -Eq 'Sanitizer|runtime error|Assertion|core dumped' err; then
		complain "$1: crashed"
	fi
}

# run WORDS...: leaves out, err and $status.
run()
{
	timeout 20 "$@" >out 2>err </dev/null
	status=$?
}

# refuses STATUS PATTERN WORDS...: one sentence on stderr that matches, and nothing on stdout.
refuses()
{
	local wanted=$1 pattern=$2
	shift 2
	run "$refault" "$@"
	check_sane "$*"
	[ "$status" -eq "$wanted" ] || complain "$*: ended with $status instead of $wanted"
	[ -s out ] && complain "$*: wrote to stdout"
	head -n 1 err | grep -Eq -- "^([^ ]*/)?refault: .*$pattern" ||
		complain "$*: does not say '$pattern'"
	# argp adds where help is to be had.
	[ "$(grep -cv '^Try ' err)" -eq 1 ] || complain "$*: says more than one sentence"
}
