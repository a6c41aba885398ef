# The mutants of a C file: each changes one place.
#   awk -f mutants.awk FILE            lists them: LINE: what is changed
#   awk -f mutants.awk -v want=N FILE  prints the file as the Nth of them
#
# A comparison is negated, && and || change places, a ! is dropped, a constant is three times as
# large or small, a guard that returns (or goes on with the next) is deleted.

{ line[NR] = $0 }

# Comments and texts become blanks, so that places stay what they are.
function mask(text,    i, c, out) {
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (comment) {
			if (substr(text, i, 2) == "*/") {
				comment = 0
				out = out " "
				i++
			}
			c = " "
		} else if (quote) {
			if (c == "\\") {
				out = out " "
				i++
			} else if (c == "\"")
				quote = 0
			c = " "
		} else if (substr(text, i, 2) == "/*") {
			comment = 1
			out = out " "
			i++
			c = " "
		} else if (c == "\"") {
			quote = 1
			c = " "
		}
		out = out c
	}
	return out
}

function mutant(at, what) {
	count++
	if (!want)
		print at ": " what
	return count == want
}

function replace(at, from, size, with) {
	line[at] = substr(line[at], 1, from - 1) with substr(line[at], from + size)
}

# Every place of an operator with blanks around it, or at the end of its line.
function swap(at, old, new,    from, place, rest) {
	rest = code[at] " "
	for (from = 0; (place = index(rest, " " old " ")) > 0; from += place) {
		if (mutant(at, old " becomes " new)) {
			replace(at, from + place + 1, length(old), new)
			return
		}
		rest = substr(rest, place + 1)
	}
}

function drop_not(at,    from, rest) {
	rest = code[at]
	for (from = 0; match(rest, /![A-Za-z_(]/); from += RSTART) {
		if (mutant(at, "! is dropped")) {
			replace(at, from + RSTART, 1, "")
			return
		}
		rest = substr(rest, RSTART + 1)
	}
}

# In a #define every constant is one; elsewhere what is compared or multiplied.
function is_threshold(at, before, after) {
	if (code[at] ~ /^#define/)
		return before !~ /[A-Za-z0-9_.]$/
	return before ~ /([<>]=?|\*|\?|:) \(?$/ || after ~ /^ [*\/] /
}

function scale(at,    from, rest, number, before, after) {
	rest = code[at]
	for (from = 0; match(rest, /[0-9]+([.][0-9]+)?/); ) {
		number = substr(rest, RSTART, RLENGTH)
		before = substr(code[at], 1, from + RSTART - 1)
		after = substr(rest, RSTART + RLENGTH)
		if (number + 0 > 0 && before !~ /[A-Za-z0-9_]$/ && is_threshold(at, before, after)) {
			if (mutant(at, number " becomes three times as large")) {
				replace(at, from + RSTART, RLENGTH, sprintf("%.12g", number * 3))
				return
			}
			if (mutant(at, number " becomes a third")) {
				replace(at, from + RSTART, RLENGTH, sprintf("%.12g", number / 3))
				return
			}
		}
		from += RSTART + RLENGTH - 1
		rest = after
	}
}

function depth_of(text,    open) {
	open = gsub(/\(/, "", text)
	return open - gsub(/\)/, "", text)
}

# "if (...)", over as many lines as it takes, and one line that leaves.
function drop_guard(at,    end, depth) {
	if (code[at] !~ /^[ \t]*if \(/)
		return
	depth = depth_of(code[at])
	for (end = at; depth > 0 && end < NR; depth += depth_of(code[end]))
		end++
	if (code[end] ~ /{[ \t]*$/ || code[end + 1] !~ /^[ \t]*(return|continue)[ ;]/ ||
	    code[end + 2] ~ /^[ \t]*else/)
		return
	if (mutant(at, "the guard is deleted"))
		for (; at <= end + 1; at++)
			line[at] = ""
}

END {
	for (i = 1; i <= NR; i++)
		code[i] = mask(line[i])
	for (i = 1; i <= NR; i++) {
		if (code[i] ~ /^#(include|pragma|undef)/)
			continue
		swap(i, "<", ">=")
		swap(i, "<=", ">")
		swap(i, ">", "<=")
		swap(i, ">=", "<")
		swap(i, "==", "!=")
		swap(i, "!=", "==")
		swap(i, "&&", "||")
		swap(i, "||", "&&")
		drop_not(i)
		scale(i)
		drop_guard(i)
	}
	if (want)
		for (i = 1; i <= NR; i++)
			print line[i]
}
