# shellcheck shell=sh
# Sourced before a transcript that runs against a server: start it on the
# state of the test.  SERVED says how commands find it: "server", by its TCP
# address, which they are told; "socket", by themselves, as those of its host
# do.  `vipu-admin init` makes another pod of this host, so the server stops
# for that, and starts again; what comes next is a command that sees the new
# pod, as a caller elsewhere would give it.  tests/one ends the server.

# It is a child of a shell that is nobody's child: the transcript's `wait` waits
# for all, and who has ended is gone only when its parent knows.
serve() {	# PORT
	(run_server "$1" &)
	hear
	[ "$state" = serving ] || return
	VIPU_CLI_API_HOST=127.0.0.1 VIPU_CLI_API_PORT=$1
	[ "${SERVED-}" = socket ] ||
	    export VIPU_CLI_API_HOST VIPU_CLI_API_PORT
}

# A port that nobody gets by chance while the server is away: below those of
# outgoing connections.
serve_anywhere() {
	port=$((20000 + $$ % 12000))
	until serve "$port"; do
		tail -n 1 "$TEST/server.log" | grep -q 'another program does' || exit
		port=$((port + 1))
	done
}

# What the pipe says, in `state`.  Who wrote the last word may have it open
# still: then there is no word, but its end.
hear() {
	until read -r state < "$TEST/serving"; do :; done
}

# The pipe says when it serves, and when it has ended.
run_server() {	# PORT
	exec > /dev/null 2>&1	# nobody waits for the end of a pipe
	# shellcheck disable=SC2016 # the script's own
	sh -c 'echo $$ > "$TEST/server.pid"
	    exec vipu-server --listen "127.0.0.1:$1" 2>&1' sh "$1" |
	while read -r line; do
		echo "$line" >> "$TEST/server.log"
		case $line in
		*": listening on "*vipu.sock)	echo serving > "$TEST/serving" ;;
		esac
	done
	echo ended > "$TEST/serving"
}

stop_serving() {
	read -r pid < "$TEST/server.pid"
	# One that could not be started again has said so already.
	! kill "$pid" || hear
}

# On the same port, which is free: the server that had it has ended.
serve_again() {
	read -r port < "$TEST/server.port"
	serve "$port" || { tail -n 1 "$TEST/server.log"; exit 1; }
}

if [ "${1-}" = vipu-admin ]; then
	shift
	PATH=${PATH#"$TEST/bin:"}
	case " $* " in
	*" init "*)	stop_serving
		vipu-admin -H local "$@"
		status=$?
		serve_again
		vipu list partitions > "$TEST/seen"
		exit "$status" ;;
	esac
	exec vipu-admin "$@"
fi
mkdir "$TEST/bin"
mkfifo "$TEST/serving"
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\nset -- vipu-admin "$@"\n. "$TESTDIR/serve.sh"\n' \
    > "$TEST/bin/vipu-admin"
chmod +x "$TEST/bin/vipu-admin"
serve_anywhere
echo "$VIPU_CLI_API_PORT" > "$TEST/server.port"
PATH=$TEST/bin:$PATH
