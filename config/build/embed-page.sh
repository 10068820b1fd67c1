#!/bin/sh
# Write the page of a profile as C: embed-page.sh DIRECTORY
#
# report.html with the style and the scripts in place of "@css@" and "@js@",
# without indents and comments, which only people need; compressed.
set -eu
export LC_ALL=C

cd "$1"
lean() { sed 's/^[ 	]*//; /^\/\*.*\*\/$/d; /^\/\*/,/\*\/$/d; /^$/d' "$@"; }

echo '#include "core/base/embedded.h"'
echo
echo 'const unsigned char embedded_page[] = {'
{
	sed '/^@css@$/,$d' report.html
	lean report.css
	sed '1,/^@css@$/d; /^@js@$/,$d' report.html
	lean page.js charts.js index.js report.js
	sed '1,/^@js@$/d' report.html
} | gzip -9n | od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'
echo '};'
echo 'const size_t embedded_page_size = sizeof(embedded_page);'
