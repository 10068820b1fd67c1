#!/bin/sh
# Make C of the messages of config/proto, from the top of the tree:
#
#   proto.sh NANOPB OUT FILE ...
#
# NANOPB is the folder of its generator. OUT gets NAME.pb.c and NAME.pb.h of each
# file.
set -eu
export LC_ALL=C

nanopb=$1 out=$2
shift 2
root=config/sdk/proto
mkdir -p "$out"

# Text and lists, which have any length, are allocated; all else stands in its
# message.  Another python3 may come first in PATH and lack the package.
mkdir -p "$out/bin"
ln -sf /usr/bin/python3 "$out/bin/python3"
PATH=$out/bin:$PATH protoc -I "$root" \
    --plugin=protoc-gen-nanopb="$nanopb/protoc-gen-nanopb" \
    --nanopb_opt=-sfallback_type:FT_POINTER --nanopb_out="$out" "$@"
rm -r "${out:?}/bin"
