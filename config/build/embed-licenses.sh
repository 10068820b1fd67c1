#!/bin/sh
# Write the licences as C: embed-licenses.sh FILE ...
#
# One text with a head for each file, compressed.
set -eu
export LC_ALL=C

echo '#include "core/base/embedded.h"'
echo
echo 'const unsigned char embedded_licenses[] = {'
for file; do
	name=$(basename "$file" .copyright)
	[ "$name" != LICENSE ] || name=ipubox
	printf '==== %s ====\n\n' "$name"
	tr -d '\f' < "$file"
	echo
done | gzip -9n | od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'
echo '};'
echo 'const size_t embedded_licenses_size = sizeof(embedded_licenses);'
