#!/bin/sh
# Fetch and build the libraries of config/build/deps.list.
#
#   deps.sh fetch DIR          the tarballs, checked, into DIR
#   deps.sh build DIR PREFIX   build them with $CC into PREFIX
#
# A tarball comes from the directory $DEPS_TARBALLS if that is set and holds it,
# else from the Debian archive that this host's apt is set up with, else from
# its home page.  A file with another SHA-256 than the list's is refused.
set -eu

list=${DEPS_LIST:-$(dirname "$0")/deps.list}

say() { printf 'deps: %s\n' "$*"; }
die() { printf 'deps: %s\n' "$*" >&2; exit 1; }

# The rows of the list, without its comments.
rows() { grep -v '^#' "$list"; }

matches() {	# FILE SHA256
	[ -f "$1" ] && [ "$(sha256sum "$1" | cut -d ' ' -f 1)" = "$2" ]
}

# Apt's own fetcher is on every Debian and knows its proxies and mirrors.
apt_helper=/usr/lib/apt/apt-helper

# The archives of this host's apt, one address a line, each with a slash.
archives() {
	[ -x "$apt_helper" ] || return 0
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
	    sort -u
}

download() {	# ADDRESS FILE
	if command -v curl >/dev/null; then
		curl -fsSL --retry 2 --connect-timeout 20 -o "$2" "$1"
	elif command -v wget >/dev/null; then
		wget -q -T 20 -O "$2" "$1"
	else
		say "cannot download $1: curl and wget are missing" >&2
		return 1
	fi
}

from_folder() {	# TARBALL FILE
	[ -n "${DEPS_TARBALLS:-}" ] && [ -f "$DEPS_TARBALLS/$1" ] &&
	    cp "$DEPS_TARBALLS/$1" "$2"
}

# An archive sometimes answers 404 for what it has: ask again.
from_archive() {	# PATH FILE SHA256
	path=$(printf %s "$1" | sed 's/+/%2B/g')
	for try in 1 2 3; do
		for base in $(archives); do
			"$apt_helper" -qq -o APT::Sandbox::User=root \
			    download-file "${base}pool/main/$path" "$2" \
			    >/dev/null 2>&1 || continue
			matches "$2" "$3" && return 0
			say "$base$1 (try $try): wrong SHA-256" >&2
		done
	done
	return 1
}

fetch_one() {	# NAME PATH SHA256 HOME HOME_SHA256 DIR
	tarball=$(basename "$2")
	part=$6/$tarball.part
	# From its home page the file may be packed differently.
	if matches "$6/$tarball" "$3" || matches "$6/$tarball" "$5"; then
		return 0
	fi
	rm -f "$6/$tarball" "$part"
	if from_folder "$tarball" "$part"; then
		matches "$part" "$3" || matches "$part" "$5" ||
		    die "$DEPS_TARBALLS/$tarball: wrong SHA-256"
	elif from_archive "$2" "$part" "$3"; then
		:
	elif download "$4" "$part"; then
		matches "$part" "$5" || die "$4: wrong SHA-256"
	else
		rm -f "$part"
		die "cannot get $1: neither from the archive of this host's" \
		    "apt nor from $4; put $tarball into a folder and set" \
		    "DEPS_TARBALLS to it"
	fi
	mv "$part" "$6/$tarball"
	say "$tarball"
}

fetch() {	# DIR
	mkdir -p "$1"
	rows | while read -r name _ file sum home home_sum; do
		fetch_one "$name" "$file" "$sum" "$home" "$home_sum" "$1"
	done
}

# Compile C files of the current directory into a static library.
archive() {	# LIBRARY FLAGS FILE...
	library=$1 flags=$2
	shift 2
	# shellcheck disable=SC2086 # the flags are words
	$CC $CFLAGS $flags -c "$@"
	rm -f "$library"
	${AR:-ar} rcsD "$library" ./*.o
}

build_one() {	# NAME PREFIX VERSION, in the unpacked folder
	case $1 in
	libmd | libbsd)
		./configure CC="$CC" CFLAGS="$CFLAGS -I$2/include" \
		    LDFLAGS="-L$2/lib" ARFLAGS=crD --disable-shared \
		    --disable-dependency-tracking --prefix="$2" -q
		make -s -j2
		make -s install
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
	nghttp2)
		# The number of a release, 1.64.0 as 0x014000, stands in no file.
		# shellcheck disable=SC2046,SC2183 # the parts of the version
		number=$(printf '0x%02x%02x%02x' $(echo "$3" | tr . ' '))
		sed "s/@PACKAGE_VERSION@/$3/; s/@PACKAGE_VERSION_NUM@/$number/" \
		    lib/includes/nghttp2/nghttp2ver.h.in \
		    > lib/includes/nghttp2/nghttp2ver.h
		archive "$2/lib/libnghttp2.a" "-Ilib/includes \
		    -DNGHTTP2_STATICLIB -DHAVE_ARPA_INET_H \
		    -DHAVE_NETINET_IN_H -DHAVE_TIME_H -DHAVE_CLOCK_GETTIME" \
		    lib/*.c
		mkdir "$2/include/nghttp2"
		cp lib/includes/nghttp2/*.h "$2/include/nghttp2/"
		cp COPYING "$2/licenses/$1"
		;;
	nanopb)
		# Fields of unknown length are allocated; a partition may have
		# more IPUs than 16 bits count.  All streams are buffers:
		# others would call a function for each byte.
		for switch in ENABLE_MALLOC FIELD_32BIT VALIDATE_UTF8 \
		    BUFFER_ONLY; do
			sed -i "s|^/[*/] *\(#define PB_$switch 1\).*|\1|" pb.h
			grep -q "^#define PB_$switch 1" pb.h
		done
		# A repeated field grows by one item at a time; growing it by
		# powers of two keeps the items of a long list in place.
		room='(size_t)2 << (63 - (size_t)__builtin_clzll((size) - 1))'
		room="(size) < 256 ? (size) : $room"
		sed -i "s#realloc(ptr, size)\$#realloc(ptr, $room)#" pb.h
		grep -q __builtin_clzll pb.h
		archive "$2/lib/libnanopb.a" "" pb_common.c pb_decode.c \
		    pb_encode.c
		cp pb.h pb_common.h pb_decode.h pb_encode.h "$2/include/"
		# What makes C of a .proto, run by config/build/proto.sh.
		mkdir "$2/nanopb"
		cp -R generator/proto generator/nanopb_generator.py \
		    generator/protoc-gen-nanopb "$2/nanopb/"
		cp LICENSE.txt "$2/licenses/$1"
		;;
	libyaml)
		# Without the loader and the dumper: the trees are ours.
		rest=${3#*.}
		archive "$2/lib/libyaml.a" "-Iinclude \
		    -DYAML_VERSION_MAJOR=${3%%.*} \
		    -DYAML_VERSION_MINOR=${rest%.*} \
		    -DYAML_VERSION_PATCH=${rest#*.} \
		    -DYAML_VERSION_STRING=\"$3\"" src/api.c src/reader.c \
		    src/scanner.c src/parser.c src/emitter.c src/writer.c
		cp include/yaml.h "$2/include/"
		cp License "$2/licenses/$1"
		;;
	libmicrohttpd)
		# Plain HTTP in the loop of its caller: no TLS, no logins.
		./configure CC="$CC" CFLAGS="$CFLAGS -Os" ARFLAGS=crD -q \
		    --prefix="$2" --disable-shared --disable-thread-names \
		    --disable-dependency-tracking --disable-doc \
		    --disable-examples --disable-tools --disable-curl \
		    --disable-https --disable-bauth --disable-dauth \
		    --disable-postprocessor --disable-httpupgrade \
		    --disable-cookie --disable-sendfile --disable-messages \
		    --disable-poll
		make -s -j2 -C src/microhttpd
		make -s -C src/microhttpd install
		cp src/include/microhttpd.h "$2/include/"
		cp COPYING "$2/licenses/$1"
		;;
	termbox)
		archive "$2/lib/libtermbox.a" -D_GNU_SOURCE src/termbox.c \
		    src/utf8.c
		cp src/termbox.h "$2/include/"
		cp COPYING "$2/licenses/$1"
		;;
	*)	die "$1: deps.sh has no steps to build it" ;;
	esac
}

build() {	# DIR PREFIX
	tarballs=$(cd "$1" && pwd)
	rm -rf "$2"
	mkdir -p "$2/include" "$2/lib" "$2/licenses"
	prefix=$(cd "$2" && pwd)
	# The libraries' makefiles know no spaces: build by another name.
	case $prefix in
	*[!A-Za-z0-9/._+,-]*)
		link=$(mktemp -d /tmp/ipubox-deps.XXXXXX)
		trap 'rm -f "$link/prefix"; rmdir "$link"' EXIT
		trap 'exit 130' INT TERM HUP
		ln -s "$prefix" "$link/prefix"
		prefix=$link/prefix ;;
	esac
	work=$prefix/src
	# Names of this directory do not reach the objects: two builds in two
	# directories give the same bytes.
	CFLAGS="-O2 -ffunction-sections -fdata-sections \
	    -ffile-prefix-map=$prefix=deps -w"
	export CFLAGS
	# The flags of an outer make are none of the libraries' business.
	unset MAKEFLAGS MAKELEVEL MFLAGS
	rows | while read -r name version file _; do
		say "building $name $version with $CC"
		mkdir -p "$work"
		tar -xf "$tarballs/$(basename "$file")" -C "$work" \
		    --strip-components=1
		(cd "$work" && build_one "$name" "$prefix" "$version") \
		    > "$prefix/log" 2>&1 ||
		    { cat "$prefix/log" >&2; die "$name does not build"; }
		rm -rf "$work"
	done
	# Only static libraries: libbsd also installs a linker script that
	# points at a shared one.
	rm -rf "$prefix/share" "$prefix/lib/pkgconfig" "$prefix/log" \
	    "$prefix"/lib/*.so* "$prefix"/lib/*.la
	: > "$prefix/done"
}

case ${1:-}:$# in
fetch:2) fetch "$2" ;;
build:3) build "$2" "$3" ;;
*) die "usage: deps.sh fetch DIR | build DIR PREFIX" ;;
esac
