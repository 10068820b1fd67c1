#!/bin/sh
# Write the files of config/sdk as C: embed-sdk.sh FILE ...
#
# A table of their paths, modes and sizes; then the bytes of all of them, one
# file behind the other, compressed: a file may hold any bytes, and be empty.
set -eu
export LC_ALL=C

echo '#include "core/base/embedded.h"'
echo
echo 'const struct embedded_sdk_file embedded_sdk[] = {'
for file; do
	case $file in
	*[!A-Za-z0-9_./+-]*)
		echo "embed-sdk: $file: must have only letters, digits" \
		    "and _.+-" >&2
		exit 1 ;;
	esac
	mode=0644
	[ ! -x "$file" ] || mode=0755
	printf '\t{ "%s", %s, %d },\n' "${file#config/sdk/}" $mode \
	    "$(wc -c < "$file")"
done
printf '\t{ NULL, 0, 0 }\n};\n'
echo 'const unsigned char embedded_sdk_packed[] = {'
cat -- "$@" | gzip -9n | od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'
echo '};'
echo 'const size_t embedded_sdk_packed_size = sizeof(embedded_sdk_packed);'
