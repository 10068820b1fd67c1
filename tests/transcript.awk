# The transcripts of tests/cli.
#
# Text that is not indented is for the reader.  A command is indented by two
# spaces; what it must print (stdout and stderr in order) stands below it:
#
#     $ command
#     > more of it
#   output, exactly
#   a regular expression, for the whole line (re)
#   a glob, * and ? (glob)
#   the last line, without a newline (no-eol)
#   ...				<- any lines, or none
#   [2]				<- the exit status, where it is not 0
#
# All commands of a file run in one shell, so variables and cd last.
#
#   -v mode=script   print the shell script; after each command it prints a
#                    line "SALT STATUS"
#   -v mode=compare  read the script's output from `got`, write to `out` the
#                    transcript as it went, print "PASSED FAILED 0"
#
# `out` equals the transcript where all went well: a line that matches a
# pattern is written as the pattern.

# Whether a line matches, by grep(1): awk's regular expressions differ from
# one awk to the next.
function grep(pattern, line,	status) {
	print pattern > (scratch ".pattern")
	close(scratch ".pattern")
	print line > (scratch ".line")
	close(scratch ".line")
	status = system("LC_ALL=C grep -qxE -f '" scratch ".pattern' '" \
	    scratch ".line'")
	return status == 0
}

function glob_to_re(glob,	i, c, re) {
	for (i = 1; i <= length(glob); i++) {
		c = substr(glob, i, 1)
		if (c == "*")
			re = re ".*"
		else if (c == "?")
			re = re "."
		else if (c ~ /[[\\.(){}+^$|]/)
			re = re "\\" c
		else
			re = re c
	}
	return re
}

function matches(wanted, line) {
	if (wanted == line)
		return 1
	if (wanted ~ / \(re\)$/)
		return grep(substr(wanted, 1, length(wanted) - 5), line)
	if (wanted ~ / \(glob\)$/)
		return grep(glob_to_re(substr(wanted, 1,
		    length(wanted) - 7)), line)
	return 0
}

# One line of the command's output: compare it with the next wanted line.
function result(line) {
	if (shown < wanted_count && wanted[shown + 1] == "...") {
		if (shown + 2 > wanted_count ||
		    !matches(wanted[shown + 2], line)) {
			any_lines = any_lines "  " line "\n"
			return
		}
		end_of_any()
	}
	shown++
	if (shown <= wanted_count && matches(wanted[shown], line))
		line = wanted[shown]
	else
		good = 0
	print "  " line > out
}

# Past "...": what stood for it need not be shown.
function end_of_any() {
	shown++
	any_lines = ""
	print "  ..." > out
}

# Read the output of one command up to its salt.
function finish(	line, at, status) {
	shown = 0
	any_lines = ""
	good = 1
	status = "none"
	while (!ended && (ended = (getline line < got) <= 0) == 0) {
		at = index(line, salt)
		if (at > 1)
			result(substr(line, 1, at - 1) " (no-eol)")
		if (at > 0) {
			status = substr(line, at + length(salt) + 1)
			break
		}
		result(line)
	}
	if (shown == wanted_count - 1 && wanted[wanted_count] == "...")
		end_of_any()
	printf "%s", any_lines > out
	if (status == "none")
		print "  [the shell ended]" > out
	else if (status != 0)
		print "  [" status "]" > out
	if (good && shown == wanted_count && status == wanted_status)
		passed++
	else
		failed++
}

function end_of_command() {
	if (in_command) {
		if (mode == "script")
			print "printf '%s %d\\n' '" salt "' $?"
		else
			finish()
	}
	in_command = 0
	wanted_count = 0
	wanted_status = 0
}

/^  \$ / {
	end_of_command()
	in_command = 1
	wanted_count = 0
	wanted_status = 0
	if (mode == "script")
		print substr($0, 5)
	else
		print > out
	next
}
in_command && /^  > / {
	if (mode == "script")
		print substr($0, 5)
	else
		print > out
	next
}
in_command && /^  \[[0-9]+\]$/ {
	wanted_status = substr($0, 4, length($0) - 4)
	next
}
in_command && /^  / {
	wanted[++wanted_count] = substr($0, 3)
	next
}
{
	end_of_command()
	if (mode == "compare")
		print > out
}
END {
	end_of_command()
	if (mode == "compare")
		print passed + 0, failed + 0, 0
}
