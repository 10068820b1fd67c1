#!/bin/sh
# Fetch and build the libraries of config/deps.list.
#
#   deps.sh fetch DIR          the tarballs, checked, into DIR
#   deps.sh build DIR PREFIX   build them with $CC into PREFIX
#
# A tarball comes from $DEPS_TARBALLS if that folder holds it, else from the
# Debian archive that this host's apt is set up with, else from its home page.
# A file with another SHA-256 than the list's is refused.
set -eu

list=$(dirname "$0")/deps.list

say() { printf 'deps: %s\n' "$*"; }
die() { printf 'deps: %s\n' "$*" >&2; exit 1; }

matches() {	# FILE SHA256
	[ -f "$1" ] && [ "$(sha256sum "$1" | cut -d ' ' -f 1)" = "$2" ]
}

download() {	# ADDRESS FILE
	if command -v curl >/dev/null; then
		curl -fsSL --retry 2 --connect-timeout 20 -o "$2" "$1"
	else
		wget -q -O "$2" "$1"
	fi
}

# The archives of this host's apt, one address a line, each with a slash.
archives() {
	command -v apt-get >/dev/null || return 0
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
	    sort -u | grep '^http' || true
}

fetch_one() {	# NAME FILE SHA256 HOME FOLDER
	target=$5/$(basename "$2")
	matches "$target" "$3" && return 0
	if [ -n "${DEPS_TARBALLS:-}" ] &&
	    [ -f "$DEPS_TARBALLS/$(basename "$2")" ]; then
		cp "$DEPS_TARBALLS/$(basename "$2")" "$target.part"
		matches "$target.part" "$3" ||
		    die "$DEPS_TARBALLS/$(basename "$2"): wrong SHA-256"
		mv "$target.part" "$target"
		return 0
	fi
	path=$(printf %s "$2" | sed 's/+/%2B/g')
	for try in 1 2 3; do
		for base in $(archives); do
			download "${base}pool/main/$path" "$target.part" \
			    2>/dev/null || continue
			matches "$target.part" "$3" || continue
			mv "$target.part" "$target"
			return 0
		done
	done
	if [ "$4" != - ] && download "$4" "$target.part"; then
		matches "$target.part" "$3" || die "$4: wrong SHA-256"
		mv "$target.part" "$target"
		return 0
	fi
	rm -f "$target.part"
	die "cannot get $1 (set DEPS_TARBALLS to a folder that holds" \
	    "$(basename "$2"))"
}

rows() { grep -v '^#' "$list"; }

fetch() {	# DIR
	mkdir -p "$1"
	rows | while read -r name version file sum home; do
		fetch_one "$name" "$file" "$sum" "$home" "$1"
	done
}

# Compile C files of the current folder into a static library.
archive() {	# LIBRARY FLAGS FILE...
	library=$1 flags=$2
	shift 2
	# shellcheck disable=SC2086 # the flags are words
	$CC $CFLAGS $flags -c "$@"
	rm -f "$library"
	${AR:-ar} rcsD "$library" ./*.o
}

build_one() {	# NAME PREFIX, in the unpacked folder
	case $1 in
	libmd | libbsd)
		./configure CC="$CC" CFLAGS="$CFLAGS -I$2/include" \
		    LDFLAGS="-L$2/lib" --disable-shared --prefix="$2" -q \
		    >/dev/null
		# The flags of an outer make are none of this one's business.
		MAKEFLAGS='' make -s -j2 >/dev/null 2>&1
		MAKEFLAGS='' make -s install >/dev/null 2>&1
		cp COPYING "$2/licenses/$1"
		;;
	inih)
		archive "$2/lib/libinih.a" "-DINI_USE_STACK=0 \
		    -DINI_INITIAL_ALLOC=512 -DINI_ALLOW_REALLOC=1 \
		    -DINI_MAX_LINE=65536 -DINI_HANDLER_LINENO=1 \
		    -DINI_ALLOW_MULTILINE=0 -DINI_STOP_ON_FIRST_ERROR=1" ini.c
		cp ini.h "$2/include/"
		cp LICENSE.txt "$2/licenses/$1"
		;;
	zlib)
		archive "$2/lib/libz.a" "-DHAVE_UNISTD_H -DHAVE_STDARG_H" \
		    adler32.c crc32.c gzlib.c gzread.c gzclose.c gzwrite.c \
		    deflate.c trees.c inflate.c inffast.c inftrees.c zutil.c
		cp zlib.h zconf.h "$2/include/"
		cp LICENSE "$2/licenses/$1"
		;;
	yyjson)
		archive "$2/lib/libyyjson.a" "" src/yyjson.c
		cp src/yyjson.h "$2/include/"
		cp LICENSE "$2/licenses/$1"
		;;
	*)	die "do not know how to build $1" ;;
	esac
}

build() {	# DIR PREFIX
	tarballs=$(cd "$1" && pwd)
	mkdir -p "$2/include" "$2/lib" "$2/licenses"
	prefix=$(cd "$2" && pwd)
	work=$prefix/src
	# Names of this folder do not reach the objects: two builds in two
	# folders give the same bytes.
	CFLAGS="-O2 -ffunction-sections -fdata-sections -ffile-prefix-map=$prefix=deps -w"
	export CFLAGS
	rows | while read -r name version file sum home; do
		say "building $name $version"
		rm -rf "$work"
		mkdir -p "$work"
		tar -xf "$tarballs/$(basename "$file")" -C "$work" \
		    --strip-components=1
		(cd "$work" && build_one "$name" "$prefix") ||
		    die "$name does not build"
	done
	# Only static libraries: libbsd also installs a linker script that
	# points at a shared one.
	rm -rf "$work" "$prefix/share" "$prefix/lib/pkgconfig" \
	    "$prefix"/lib/*.so* "$prefix"/lib/*.la
	: > "$prefix/done"
}

case ${1:-} in
fetch) fetch "$2" ;;
build) build "$2" "$3" ;;
*) die "usage: deps.sh fetch DIR | build DIR PREFIX" ;;
esac
