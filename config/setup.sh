#!/bin/sh
# From the sources to a result, on a bare Debian: setup.sh demo | test
#
#   demo   get the missing tools, build, train with two emulated instances
#   test   the same, and run the tests instead
#
# Root gets the tools installed; anyone else is shown the one line to run.
set -eu

case ${1:-}:$# in
demo:1 | test:1) ;;
*)	echo "setup: usage: setup.sh demo | test" >&2
	exit 2 ;;
esac
cd "$(dirname "$0")/.."
config/build/tools.sh build
exec make "$1"
