#!/bin/sh
# The tools that building and testing need, and the Debian packages that bring
# them.
#
#   tools.sh [PURPOSE ...]     install what is missing (build); a user other
#                              than root is shown the line that root has to run
#   tools.sh packages PURPOSE  print the packages of a purpose
#   tools.sh lacking TOOL ...  print the package of each tool that is missing
#   tools.sh tools             print the names of all tools
#
# A purpose is a target of the Makefile: build, test (tools that some tests
# need), bare, lint, fuzz, browser, hosts, slurm or programs.  Each includes build.
set -eu

# TOOL PACKAGE PURPOSE ...: a TOOL is a command, a file with its whole path,
# python3:MODULE for a module of Python, or clang:LIBRARY for a library that
# clang finds.
tools() {
	cat <<-'END'
	make make build
	gcc gcc build
	/usr/include/stdio.h libc6-dev build
	musl-gcc musl-tools build
	xz xz-utils build
	protoc protobuf-compiler build
	/usr/bin/python3 python3 build
	python3:google.protobuf python3-protobuf build
	mpirun openmpi-bin test hosts programs slurm
	tmux tmux test programs
	busybox busybox test
	ssh openssh-client test hosts
	ssh-keygen openssh-client test hosts
	ssh-keyscan openssh-client test
	ip iproute2 test hosts slurm
	systemd-analyze systemd test
	systemd-sysusers systemd test
	systemd-tmpfiles systemd test
	python3:grpc python3-grpcio test programs
	python3:numpy python3-numpy programs
	clang clang lint fuzz programs
	clang-format clang-format lint
	clang:lib/linux/libclang_rt.fuzzer-@.a libclang-rt-dev fuzz
	g++ g++ test lint programs
	c++ g++ test programs
	mandoc mandoc build
	groff groff-base lint
	pyflakes3 pyflakes3 lint programs
	shellcheck shellcheck lint
	mmdebstrap mmdebstrap bare
	chromium chromium browser
	/usr/sbin/sshd openssh-server hosts
	openssl openssl hosts
	pgrep procps hosts slurm
	slurmctld slurmctld slurm
	slurmd slurmd slurm
	srun slurm-client slurm
	munged munge slurm
	/usr/include/slurm/spank.h libslurm-dev slurm
	/usr/include/pmix.h libpmix-dev slurm
	pkg-config pkg-config programs
	prometheus prometheus programs
	promtool prometheus programs
	python3:torch python3-torch programs
	python3:tqdm python3-tqdm programs
	python3:mpi4py python3-mpi4py programs
	END
}

# Succeeds if this machine has a tool.  Modules of Python are looked for in the
# Python of Debian, which is the one that has packages.
has() {
	case $1 in
	/*)	[ -e "$1" ] ;;
	python3:*)
		/usr/bin/python3 -c 'import importlib.util, sys
sys.exit(importlib.util.find_spec(sys.argv[1]) is None)' "${1#*:}" 2>/dev/null ;;
	clang:*)
		library=$(echo "${1#*:}" | sed "s/@/$(uname -m)/")
		[ -e "$(clang -print-file-name="$library" 2>/dev/null)" ] ;;
	*)	command -v "$1" >/dev/null ;;
	esac
}

# Reads rows of tools() and prints the packages of those that are missing.
lacking() {
	while read -r tool package _; do
		has "$tool" || echo "$package"
	done | sort -u
}

# Prints the rows of tools() that belong to one of the purposes given.
needed() {
	tools | awk -v purposes=" build $* " '{
		for (i = 3; i <= NF; i++)
			if (index(purposes, " " $i " ")) {
				print
				next
			}
	}'
}

case ${1:-} in
packages)
	shift
	needed "$@" | cut -d ' ' -f 2 | sort -u
	exit ;;
tools)
	tools | cut -d ' ' -f 1
	exit ;;
lacking)
	shift
	for tool; do
		tools | awk -v tool="$tool" '$1 == tool { print; found = 1 }
		    END { if (!found) print tool, tool }'
	done | lacking
	exit ;;
esac
purposes=$(tools | cut -d ' ' -f 3- | tr ' ' '\n' | sort -u | tr '\n' ' ')
for purpose; do
	case " $purposes" in
	*" $purpose "*) ;;
	*)	echo "tools: $purpose: must be one of ${purposes% }" >&2
		exit 2 ;;
	esac
done

missing=$(needed "$@" | lacking | sed 's/^/ /' | tr -d '\n')
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
# The package lists may be missing or old, so a failure is tried again after an
# update.
# shellcheck disable=SC2086 # words
$line > "$log" 2>&1 ||
    { apt-get update > "$log" 2>&1 && $line > "$log" 2>&1; } ||
    { cat "$log" >&2; exit 1; }
