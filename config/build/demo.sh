#!/bin/sh
# Train on MNIST with two emulated instances: demo.sh IPUBOX
#
# The pod, the partition and all other state live in a directory of their own,
# which goes away at the end, however it ends.
set -eu

ipubox=$(realpath -e "$1")
files='train-images-idx3-ubyte train-labels-idx1-ubyte
    t10k-images-idx3-ubyte t10k-labels-idx1-ubyte'

# Whether a directory holds the four files, plain or packed.
has_mnist() {
	for file in $files; do
		[ -f "$1/$file" ] || [ -f "$1/$file.gz" ] || return 1
	done
}

data=
for folder in mnist_data "${MNIST_DIR:-}" ../shared/data/mnist; do
	if [ -n "$folder" ] && has_mnist "$folder"; then
		data=$(realpath -e "$folder")
		break
	fi
done
if [ -n "$data" ]; then
	echo "demo: using the MNIST files in $data"
	set -- --data-dir "$data"
else
	echo "demo: using generated digits: there are no MNIST files in" \
	    "mnist_data/, \$MNIST_DIR or ../shared/data/mnist"
	set -- --dataset generated
fi

work=$(mktemp -d)
running=
finish() {
	[ -z "$running" ] || kill "$running" 2>/dev/null || :
	[ -z "$running" ] || wait "$running" || :
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

mkdir "$work/bin" "$work/home"
"$ipubox" --install -sf "$work/bin"
export PATH="$work/bin:$PATH" HOME="$work/home"
export IPUBOX_STATE_DIR="$work/state" IPUBOX_REGISTRY="$work/registry"
unset IPUOF_VIPU_API_HOST IPUOF_VIPU_API_PARTITION_ID IPUOF_CONFIG_PATH
cd "$work/home"

set -- poprun --vipu-partition demo --num-instances 2 --num-replicas 2 \
    --ipus-per-replica 4 --update-partition yes --print-topology yes \
    mnist-pipeline --epochs 3 "$@"
echo "demo: $*"
started=$(date +%s)
"$@" &
running=$!
status=0
wait "$running" || status=$?
running=
echo "demo: exit status $status after $(($(date +%s) - started)) s"
exit "$status"
