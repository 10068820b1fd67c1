#!/bin/sh
# The tools that building and testing need:
# tools.sh [build|lint|fuzz|browser|hosts|programs]
#
# Where one is missing, root gets it installed by the package manager; anyone
# else is shown the one line to run.
set -eu

# COMMAND PACKAGE, a line each: which Debian package brings the command.
needed() {
	case $1 in
	build) cat <<-'END' ;;
		make make
		gcc gcc
		musl-gcc musl-tools
		xz xz-utils
		protoc protobuf-compiler
		/usr/bin/python3 python3
	END
	lint) needed build; cat <<-'END' ;;
		clang clang
		g++ g++
		groff groff-base
		mandoc mandoc
		pyflakes3 pyflakes3
		shellcheck shellcheck
	END
	fuzz) needed build; cat <<-'END' ;;
		clang clang
	END
	browser) needed build; cat <<-'END' ;;
		chromium chromium
	END
	hosts) needed build; cat <<-'END' ;;
		ip iproute2
		ssh openssh-client
		/usr/sbin/sshd openssh-server
		openssl openssl
		pgrep procps
		mpirun openmpi-bin
	END
	# Tests of programs in other languages skip what is not there.
	programs) needed build; cat <<-'END' ;;
		pyflakes3 pyflakes3
		g++ g++
		clang clang
		pkg-config pkg-config
		mpirun openmpi-bin
		tmux tmux
	END
	esac
}

# Whether Debian's Python has a package.
has_python() {
	/usr/bin/python3 -c 'import importlib.util, sys
sys.exit(importlib.util.find_spec(sys.argv[1]) is None)' "$1" 2>/dev/null
}

purpose=${1:-build}
case $purpose in
build | lint | fuzz | browser | hosts | programs) ;;
*)	echo "tools: usage: tools.sh [build|lint|fuzz|browser|hosts|programs]" >&2
	exit 2 ;;
esac
missing=$(needed "$purpose" | while read -r command package; do
	command -v "$command" >/dev/null || printf ' %s' "$package"
done)
# gcc alone has no C library to link with, and no sanitizers' headers.
[ -e /usr/include/stdio.h ] || missing="$missing libc6-dev"
runtime=lib/linux/libclang_rt.fuzzer-$(uname -m).a
if [ "$purpose" = fuzz ] &&
    [ ! -e "$(clang -print-file-name="$runtime" 2>/dev/null)" ]; then
	missing="$missing libclang-rt-dev"
fi
# What makes C of the .proto files is Python.
has_python google.protobuf || missing="$missing python3-protobuf"
if [ "$purpose" = programs ]; then
	for module in numpy torch tqdm mpi4py; do
		has_python "$module" || missing="$missing python3-$module"
	done
	has_python grpc || missing="$missing python3-grpcio"
fi
[ -n "$missing" ] || exit 0

line="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
	echo "tools: as root, run: apt-get update && $line" >&2
	exit 1
fi
echo "tools: installing$missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The lists may be missing or old: a second try after an update.
# shellcheck disable=SC2086 # words
$line > "$log" 2>&1 ||
    { apt-get update > "$log" 2>&1 && $line > "$log" 2>&1; } ||
    { cat "$log" >&2; exit 1; }
