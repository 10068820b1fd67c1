# What plays, in a directory of names, what the lesson's jobs want of a network
# and of this machine: . "$TESTDIR/cli/ipubox-job-lesson.sh"
#
# git makes the example, apt and pip3 say what they were asked for, and python3
# runs the example's script, which shows what the lesson shows of a training.
# shellcheck shell=sh

mkdir names
ln -s "$IPUBOX" names/kubectl
cat > run_pretraining.py <<'END'
args="$* "
config=${args##*--config }
config=${config%% *}
steps=${args##*--training-steps }
echo "Using config: $config, ${steps% } step" >&2
if [ "$config" = pretrain_base_128_pod4 ]; then
	echo "-------------------- Device Allocation --------------------"
	gc-info -l | sed -n 's/^-+- Id: \[\([0-9]*\)\],.*Fabric.*/IPU \1/p'
else
	popdist-env get getNumTotalReplicas
	popdist-env get getNumIpusPerReplica
fi
END
cat > names/git <<END
#!/bin/sh
echo "git \$*"
mkdir -p examples/nlp/bert/pytorch
cd examples/nlp/bert/pytorch
echo numactl libnuma-dev > required_apt_packages.txt
cp "$PWD/run_pretraining.py" .
END
cat > names/apt <<'END'
#!/bin/sh
echo "${0##*/} $*${DEBIAN_FRONTEND:+, $DEBIAN_FRONTEND, $TZ}"
END
cp names/apt names/pip3
printf '#!/bin/sh\nexec sh "$@"\n' > names/python3
chmod +x names/*
PATH=$PWD/names:$PATH
