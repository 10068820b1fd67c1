#!/bin/sh
# Draw the picture of README, gc-monitor's live view while programs compute:
#
#   picture.sh IPUBOX > config/pictures/watch.svg
#
# Needs tmux.  The pod and all other state live in a directory of their own,
# which goes away at the end, however it ends.  It takes a minute, so that the
# view has a past to show.
set -eu

ipubox=$(realpath -e "$1")
awk=$(realpath -e "$(dirname "$0")/picture.awk")
work=$(mktemp -d)
programs=
end() {
	tmux -S "$work/socket" kill-server 2> "$work/end" || :
	for pid in $programs; do
		kill "$pid" 2> "$work/end" || :
	done
	wait
	rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM HUP

mkdir "$work/bin"
"$ipubox" --install "$work/bin" > "$work/log"
export PATH="$work/bin:$PATH" HOME="$work" GCDA_MONITOR=1 LC_ALL=C.UTF-8
export IPUBOX_STATE_DIR="$work/state" IPUBOX_REGISTRY="$work/registry"
cd "$work"

# PARTITION MODEL OPTION...: train until the end.
train() {
	partition=$1
	shift
	IPUOF_VIPU_API_PARTITION_ID=$partition ipubox train "$@" \
	    --dataset generated --epochs 10000 > "$work/log" 2>&1 &
	programs="$programs $!"
}

for partition in "blue 16" "green 8" "red 32"; do
	vipu create partition "${partition% *}" --size "${partition#* }" \
	    --reconfigurable
done > "$work/log" 2>&1
train blue mnist
train blue lenet5
train green mlp --replicas 2
train red mnist --replicas 2
printf 'set -g status off\nset -g default-terminal screen\n' > tmux.conf
tmux -u -S socket -f tmux.conf new-session -d -x 110 -y 30 \
    gc-monitor --watch --all-partitions
sleep 62
tmux -S socket capture-pane -e -N -p | LC_ALL=C awk -f "$awk"
