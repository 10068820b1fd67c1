#needs ssh-keygen
#skip-unless id -un # ssh-keygen wants a name
The script that copy-ssh runs on a host, killed before any of the commands that
write, leaves each file as it was or as it is to be; the next run does the rest,
and nothing is left over.  Every third command, with FULL=1 all of them.

  $ . "$TESTDIR/cli/copy-ssh-script.sh"
  $ cp -a before home; HOME=$PWD/home ask > said; cd home; state > ../state; cd ..
  $ mkdir killer
  $ for tool in mktemp cat chmod mv mkdir rmdir; do
  >     printf '#!/bin/sh\nread -r n < "$COUNT"\necho $((n - 1)) > "$COUNT"\n[ "$n" -ne 0 ] || { kill -KILL "$MAIN"; exit 1; }\nexec %s "$@"\n' "$(command -v $tool)" > killer/$tool
  > done; chmod +x killer/*
  $ export COUNT=$PWD/count
  $ step=3; [ -z "$FULL" ] || step=1
  $ n=0; while :; do
  >     rm -rf home; cp -a before home; echo $n > count
  >     PATH=$PWD/killer:$plain HOME=$PWD/home ask > said 2> /dev/null
  >     cp -a home/.ssh now; cd now
  >     for f in authorized_keys:3 known_hosts:5 config:12; do
  >         cmp -s ${f%:*} ../before/.ssh/${f%:*} || [ "$(grep -c . ${f%:*})" = ${f#*:} ] || echo "killed at $n: ${f%:*}"
  >     done
  >     [ ! -e id_ed25519 ] || ssh-keygen -y -f id_ed25519 > /dev/null || echo "killed at $n: the key"
  >     cd ..; rm -rf now
  >     ! grep -q '^copy-ssh end' said || break
  >     HOME=$PWD/home ask > said; cd home; state | cmp ../state - || echo "after $n"; cd ..
  >     find home -name '.copy-ssh*'
  >     n=$((n + step))
  > done; [ $n -gt 15 ] || echo "only $n points"
