# Print the code of C files without comments and without what stands in quotes, one line each:
#
#   FILE:LINE:<tab>CODE
#
# so that a check can search code with grep or awk and already has the place for its message.
# The operand of #include stays.  A comment becomes one space, "text" becomes "".

FNR == 1 { in_comment = 0 }

{
	print FILENAME ":" FNR ":\t" code($0)
}

function code(line,    out, keep_quotes)
{
	keep_quotes = line ~ /^[ \t]*#[ \t]*include/
	out = ""
	while (line != "") {
		if (in_comment) {
			if (!match(line, /\*\//))
				return out
			line = substr(line, RSTART + 2)
			in_comment = 0
		} else if (match(line, /^[^\/"']+/)) {
			out = out substr(line, 1, RLENGTH)
			line = substr(line, RLENGTH + 1)
		} else if (line ~ /^\/\//) {
			return out
		} else if (line ~ /^\/\*/) {
			in_comment = 1
			out = out " "
			line = substr(line, 3)
		} else if (!keep_quotes && match(line, /^"([^"\\]|\\.)*"/)) {
			out = out "\"\""
			line = substr(line, RLENGTH + 1)
		} else if (!keep_quotes && match(line, /^'([^'\\]|\\.)*'/)) {
			out = out "''"
			line = substr(line, RLENGTH + 1)
		} else {
			out = out substr(line, 1, 1)
			line = substr(line, 2)
		}
	}
	return out
}
