# shellcheck shell=sh
# Pythons besides the one called python3: "VERSION FILE" for each, as "3.8
# /usr/bin/python3.8".  Exit status 1 where there are none.
home=$(getent passwd "$(id -u)" | cut -d: -f6)
own=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
found=$(for minor in 2.7 3.6 3.7 3.8 3.9 3.10 3.11 3.12 3.13 3.14; do
	[ "$minor" != "$own" ] || continue
	for file in "$(command -v "python$minor")" \
	    "$home/.pyenv/versions/$minor."*/bin/python; do
		"$file" -c '' 2>/dev/null || continue
		echo "$minor $file"
		break
	done
done)
[ -z "$found" ] || echo "$found"
[ -n "$found" ]
