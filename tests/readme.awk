# README's session as a transcript (tests/transcript.awk): its blocks of four
# spaces, in their order.
#
# What differs from run to run is matched by its form: the figures of a
# training, and the process in gc-monitor's table.  A command that README has
# typed "in another terminal" runs while the one before it does.
#
#   -v samples=N     train with N samples: all digits take many seconds
#   -v missing=FILE  lines "WORD REASON": a command that has the word is left out
#                    for that reason
#   -v skips=FILE    where a line for each command that is left out is written
#   -v mode=others   print the blocks that do not begin with "$ " instead

# The line as a pattern: any measure, time and process, any width of spaces.
function pattern(line) {
	gsub(/[[\\.(){}+*?^$|]/, "\\\\&", line)
	gsub(/[0-9]+\\\.[0-9]+/, "[0-9]+\\.[0-9]+", line)
	gsub(/ [0-9]+s /, " [0-9]+s ", line)
	sub(/^\\\| [0-9]+ /, "\\| [0-9]+ ", line)
	sub(/ root /, " [^ ]+ ", line)
	if (samples)
		sub(/: [0-9]+ \\\+ [0-9]+ /, ": [0-9]+ \\+ [0-9]+ ", line)
	gsub(/ +/, " +", line)
	return line
}

function is_figure(line) {
	return line ~ /Accuracy on test set|MHz +\|/ ||
	    (samples && line ~ /Dataset: 60000 /)
}

function print_command(n, behind,	i) {
	for (i = 1; i < lines[n]; i++)
		print (i == 1 ? "  $ " : "  > ") command[n, i]
	print (i == 1 ? "  $ " : "  > ") command[n, i] behind
}

function print_wanted(n,	i) {
	for (i = 1; i <= shown[n]; i++)
		print "  " wanted[n, i]
}

# Returns 1 for a command that needs what this machine lacks, and says so in
# `skips`.
function is_left_out(n,	i, word) {
	for (word in lacking)
		for (i = 1; i <= lines[n]; i++)
			if (index(command[n, i], word)) {
				print "README.md: " command[n, 1] \
				    ": " lacking[word] > skips
				return 1
			}
	return 0
}

BEGIN {
	while (missing != "" && (getline line < missing) > 0)
		lacking[substr(line, 1, index(line, " ") - 1)] = \
		    substr(line, index(line, " ") + 1)
}
/in another terminal/ { meanwhile[count + 1] = 1 }
!/^    / {
	in_block = 0
	next
}
{ sub(/^    /, "") }
!in_block {
	in_block = 1
	in_session = /^\$ /
}
!in_session {
	if (mode == "others")
		print
	next
}
/^\$ / {
	lines[++count] = 0
	sub(/^\$ /, "")
	in_command = 1
}
in_command {
	command[count, ++lines[count]] = $0
	if (samples)
		sub(/--dataset generated$/, "& --samples " samples,
		    command[count, lines[count]])
	if (/<<END$/)
		in_text = 1
	else if ($0 == "END")
		in_text = 0
	in_command = in_text || /\\$/ || /&&$/
	next
}
{
	wanted[count, ++shown[count]] = is_figure($0) ? pattern($0) " (re)" : $0
	if (is_figure($0) && awaited[count] == "")
		awaited[count] = pattern($0)
}
END {
	for (n = 1; mode != "others" && n <= count; n++) {
		if (is_left_out(n))
			continue
		if (!meanwhile[n + 1]) {
			print_command(n, "")
			print_wanted(n)
			continue
		}
		print_command(n, " > first 2>&1 & first=$!")
		print "  $ until " command[n + 1, 1] " | grep -qE '" \
		    awaited[n + 1] "' ||"
		print "  >     ! kill -0 $first 2> /dev/null; do :; done"
		print_command(n + 1, "")
		print_wanted(n + 1)
		print "  $ wait $first && cat first"
		print_wanted(n)
		n++
	}
}
