#!/bin/sh
# From the sources to a result, on a bare Debian: setup.sh demo | test
#
#   demo   install the missing tools, build, train with two emulated instances
#   test   install the missing tools, build, run the tests
#
# Only root can install tools; another user is shown the command to run.
set -eu

case ${1:-}:$# in
demo:1 | test:1) ;;
*)	echo "setup: usage: setup.sh demo | test" >&2
	exit 2 ;;
esac
cd "$(dirname "$0")/.."
config/build/tools.sh build
exec make "$1"
