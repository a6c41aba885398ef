# Write the completion of one shell; tools/gen-completions calls this.
#
#   awk -f completions.awk -v shell=bash|zsh|fish COMMANDS OPTIONS
#
# COMMANDS has rows COMMAND<tab>HELP, OPTIONS has rows
# COMMAND<tab>--LONG<tab>-SHORT<tab>ARGUMENT<tab>HELP.  SHORT and ARGUMENT may be empty.  Without
# a command refault does what its first one does.

BEGIN { FS = "\t" }

FNR == 1 { part++ }

part == 1 {
	command[++commands] = $1
	about[commands] = $2
}

part == 2 {
	owner[++options] = $1
	long[options] = $2
	short[options] = $3
	argument[options] = $4
	help[options] = $5
}

END {
	if (shell == "zsh")
		print "#compdef refault"
	print "# Made by tools/gen-completions from the tables of refault."
	if (shell == "bash")
		bash()
	else if (shell == "zsh")
		zsh()
	else
		fish()
}

# What option i takes: "" for nothing, else files, folders, classes or text.
function takes(i)
{
	if (argument[i] == "")
		return ""
	if (argument[i] == "FILE" || argument[i] == "PATH")
		return "files"
	if (argument[i] == "DIR")
		return "folders"
	if (argument[i] == "CLASS")
		return "classes"
	return "text"
}

function bash_words(name,    i, words)
{
	for (i = 1; i <= options; i++)
		if (owner[i] == name)
			words = words " " long[i]
	return substr(words, 2)
}

function joined(separator,    i, names)
{
	names = command[1]
	for (i = 2; i <= commands; i++)
		names = names separator command[i]
	return names
}

function bash_option(i, name) { return owner[i] "\" " name "\"" }

function bash(    i, option, action)
{
	action["files"] = "compopt -o default; "
	action["folders"] = "compopt -o dirnames; "
	action["classes"] = "COMPREPLY=($(compgen -W \"$(refault --list-classes 2>/dev/null)\" -- \"$current\")); "
	action["text"] = ""

	print "_refault()"
	print "{"
	print "\tlocal command=" command[1] " named= words word current=$2 before=$3"
	print ""
	print "\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do"
	print "\t\tcase $word in"
	print "\t\t" joined("|") ") command=$word named=yes ;;"
	print "\t\tesac"
	print "\tdone"
	print "\t# --option=value comes as three words."
	print "\t[[ $before != '=' ]] || before=${COMP_WORDS[COMP_CWORD-2]}"
	print "\t[[ $current != '=' ]] || current="
	print "\tCOMPREPLY=()"
	print "\tcase \"$command $before\" in"
	for (i = 1; i <= options; i++) {
		if (takes(i) == "")
			continue
		option = bash_option(i, long[i])
		if (short[i] != "")
			option = option "|" bash_option(i, short[i])
		print "\t" option ") " action[takes(i)] "return ;;"
	}
	print "\tesac"
	print "\tcase $command in"
	for (i = 1; i <= commands; i++)
		print "\t" command[i] ") words=\"" bash_words(command[i]) "\" ;;"
	print "\tesac"
	print "\t[[ $named ]] || words=\"" joined(" ") " $words\""
	print "\tif [[ ! $named || $current == -* ]]; then"
	print "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$current\"))"
	print "\telse"
	print "\t\tcompopt -o default"
	print "\tfi"
	print "}"
	print "complete -F _refault refault"
}

# TEXT with a backslash before each of these characters; gsub() would write backslashes
# differently in each awk.
function escaped(text, characters,    i, character, out)
{
	for (i = 1; i <= length(text); i++) {
		character = substr(text, i, 1)
		out = out (index(characters, character) ? "\\" : "") character
	}
	return out
}

# TEXT in single quotes of a POSIX shell
function quoted(text,    i, count, part, out)
{
	count = split(text, part, "'")
	out = part[1]
	for (i = 2; i <= count; i++)
		out = out "'\\''" part[i]
	return "'" out "'"
}

# Inside [] and between : of zsh's _arguments and _describe these characters mean something.
function zsh_text(text) { return escaped(text, "[]:\\") }

function zsh_options(name,    i, all, names)
{
	for (i = 1; i <= options; i++) {
		if (owner[i] != name)
			continue
		zsh_option(i, long[i] (takes(i) == "" ? "" : "="))
		if (short[i] != "")
			zsh_option(i, short[i] (takes(i) == "" ? "" : "+"))
	}
}

function zsh_option(i, name,    value)
{
	value = ""
	if (takes(i) != "")
		value = ":" zsh_text(argument[i]) ":" zsh_action[takes(i)]
	print "\t\t\t" quoted(name "[" zsh_text(help[i]) "]" value) " \\"
}

function zsh(    i)
{
	zsh_action["files"] = "_files"
	zsh_action["folders"] = "_files -/"
	zsh_action["classes"] = "_refault_classes"
	zsh_action["text"] = " "

	print "_refault_classes()"
	print "{"
	print "\tcompadd -- ${(f)\"$(refault --list-classes 2>/dev/null)\"}"
	print "}"
	print ""
	print "_refault_commands()"
	print "{"
	print "\tlocal -a commands=("
	for (i = 1; i <= commands; i++)
		print "\t\t" quoted(command[i] ":" zsh_text(about[i]))
	print "\t)"
	print "\t_describe command commands"
	print "}"
	print ""
	print "_refault()"
	print "{"
	print "\tlocal command=${words[(r)(" joined("|") ")]}"
	print ""
	print "\tcase $command in"
	for (i = 1; i <= commands; i++) {
		print "\t" command[i] ")"
		print "\t\t_arguments \\"
		zsh_options(command[i])
		print "\t\t\t'1: : ' '*:operand:_files'"
		print "\t\t;;"
	}
	print "\t*)"
	print "\t\t_arguments \\"
	zsh_options(command[1])
	print "\t\t\t'1:command:_refault_commands'"
	print "\t\t;;"
	print "\tesac"
	print "}"
	print ""
	print "_refault \"$@\""
}

function fish(    i, line)
{
	fish_action["files"] = " -r -F"
	fish_action["folders"] = " -x -a '(__fish_complete_directories)'"
	fish_action["classes"] = " -x -a '(refault --list-classes 2>/dev/null)'"
	fish_action["text"] = " -x"
	fish_action[""] = ""

	for (i = 1; i <= commands; i++)
		print "complete -c refault -n __fish_use_subcommand -f -a " command[i] \
			" -d " fish_text(about[i])
	for (i = 1; i <= options; i++) {
		line = "__fish_seen_subcommand_from " owner[i]
		if (owner[i] == command[1])
			line = "__fish_use_subcommand; or " line
		line = "complete -c refault -n '" line "' -l " substr(long[i], 3)
		if (short[i] != "")
			line = line " -s " substr(short[i], 2)
		print line fish_action[takes(i)] " -d " fish_text(help[i])
	}
}

function fish_text(text) { return "'" escaped(text, "\\'") "'" }
