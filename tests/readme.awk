# README's session as a transcript (tests/transcript.awk): its blocks of four
# spaces that begin with "$ ", in their order.
#
# What differs from run to run is matched by its form: the figures of a
# training, and the process in gc-monitor's table.  A command that README has
# typed "in another terminal" runs while the one before it does.  copy-ssh is
# left out: it needs other hosts (make hosts).  So is a command with a program
# that this machine has not, -v missing=NAME.
#
# The training on all digits takes many seconds.  With -v samples=N it is typed
# with --samples N behind it, and what it shows is matched by its form.

# The line as a pattern: any measure, time and process, any width of spaces.
function pattern(line) {
	gsub(/[[\\.(){}+*?^$|]/, "\\\\&", line)
	gsub(/[0-9]+\\\.[0-9]+/, "[0-9]+\\.[0-9]+", line)
	gsub(/[0-9][0-9]:[0-9][0-9]/, "[0-9]+:[0-9]+", line)
	gsub(/ [0-9]+s /, " [0-9]+s ", line)
	sub(/^\\\| [0-9]+ /, "\\| [0-9]+ ", line)
	sub(/ root /, " [^ ]+ ", line)
	sub(/it\/s/, "(it/s|s/it)", line)
	if (samples) {
		sub(/: [0-9]+ \\\+ [0-9]+ /, ": [0-9]+ \\+ [0-9]+ ", line)
		sub(/[0-9]+\/[0-9]+ /, "[0-9]+/[0-9]+ ", line)
	}
	gsub(/ +/, " +", line)
	return line
}

function is_figure(line) {
	return line ~ /it\/s\]$|Accuracy on test set|MHz +\|/ ||
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

/in another terminal/ { meanwhile[count + 1] = 1 }
!/^    / {
	in_block = 0
	next
}
{ sub(/^    /, "") }
/^\$ / {
	in_block = 1
	if ($2 == "copy-ssh") {
		in_block = 0
		next
	}
	lines[++count] = 0
	sub(/^\$ /, "")
	in_command = 1
}
in_block && in_command {
	command[count, ++lines[count]] = $0
	if (samples)
		sub(/--dataset generated$/, "& --samples " samples,
		    command[count, lines[count]])
	if (/<<END$/)
		in_text = 1
	else if ($0 == "END")
		in_text = 0
	in_command = in_text || /\\$/
	if (missing != "" && index($0, missing)) {
		in_block = 0
		count--
	}
	next
}
in_block {
	wanted[count, ++shown[count]] = is_figure($0) ? pattern($0) " (re)" : $0
	if (is_figure($0) && awaited[count] == "")
		awaited[count] = pattern($0)
}
END {
	for (n = 1; n <= count; n++) {
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
