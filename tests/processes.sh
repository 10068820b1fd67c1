# shellcheck shell=sh
# For the scripts that run tests: end what a test has left behind.

# Kill every process that was started with NAME=VALUE in its environment, and
# wait until there is none: also those that left their group and session.
end_processes() {	# NAME=VALUE
	# Those who search have no environment, so that they do not find
	# themselves.
	while pids=$(env -i PATH="$PATH" sh -c '
		grep -lszxFe "$1" /proc/[0-9]*/environ | cut -d/ -f3 |
		    grep .' sh "$1"); do
		# shellcheck disable=SC2086 # numbers
		kill -KILL $pids
	done 2>/dev/null
}
