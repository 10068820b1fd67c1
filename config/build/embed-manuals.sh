#!/bin/sh
# Write the manuals as C: embed-manuals.sh VERSION FILE ...
#
# A table of their names, sections, purposes and sizes, followed by the text of
# all of them as mandoc formats it for 80 columns, compressed.  The bytes 1 and
# 2 begin bold and underlined text, which 3 ends.
set -eu
export LC_ALL=C

os="ipubox $1"
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
back=$(printf '\b') bold=$(printf '\001') under=$(printf '\002')
end=$(printf '\003')

# mandoc prints a bold X as "X\bX", an underlined one as "_\bX", and a bullet as
# "+\b+\bo".
format() {
	mandoc -Tascii -Owidth=78 -Ios="$os" "$1" > "$work/page"
	sed "
		s/+$back+${back}o/o/g
		s/_$back\(.\)/$under\1$end/g
		s/\(.\)$back\1/$bold\1$end/g
		s/$end$under//g
		s/$end$bold//g" "$work/page"
}

echo '#include "core/base/embedded.h"'
echo
echo 'const struct embedded_manual embedded_manuals[] = {'
for file; do
	name=$(basename "$file")
	format "$file" > "$work/$name"
	printf '\t{ "%s", %d, "%s", %d },\n' "${name%.*}" "${name##*.}" \
	    "$(sed -n 's/^\.Nd //p' "$file")" "$(wc -c < "$work/$name")"
done
printf '\t{ NULL, 0, NULL, 0 }\n};\n'
echo 'const unsigned char embedded_manuals_packed[] = {'
for file; do
	cat "$work/$(basename "$file")"
done | gzip -9n | od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'
echo '};'
echo 'const size_t embedded_manuals_packed_size ='
echo '    sizeof(embedded_manuals_packed);'
