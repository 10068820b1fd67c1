ipubox-slurm: what Slurm calls, with a scontrol that answers from a file. `make
slurm` does the same with a real Slurm.

  $ vipu-admin init --pod pod16
  init pod (pod16): success.
  $ ipubox slurm install plug | sed "s|$PWD|HERE|g"
  The files for a Slurm with 16 IPUs are in HERE/plug.  On each host:
      make -C HERE/plug
      ln -s HERE/plug/job_submit.lua /etc/slurm/
      cat HERE/plug/plugstack.conf >> /etc/slurm/plugstack.conf
      echo Include HERE/plug/include.conf >> /etc/slurm/slurm.conf
  Add Gres=ipu:no_consume:16 to the lines NodeName of slurm.conf, and restart
  Slurm.  pod.conf and laptop.conf are whole examples; see ipubox-slurm(7).
  $ ls plug; grep -l @ plug/* ; grep Licenses plug/include.conf; test -x plug/prolog
  Makefile
  epilog
  include.conf
  ipubox.c
  job_submit.lua
  laptop.conf
  plugstack.conf
  pod.conf
  prolog
  task_prolog
  plug/Makefile
  Licenses=ipu:16

A job gets its partition, and loses it:

  $ list() { vipu list partitions | awk -F ' *[|] *' 'NR > 1 && NF > 1 { print $3, $7 }'; }
  $ export SLURM_JOB_ID=12 SLURM_JOB_USER=anna
  $ SLURM_JOB_LICENSES=x:1,ipu:4 plug/prolog
  $ list
  slurm_12 4
  $ plug/task_prolog
  export IPUOF_VIPU_API_HOST=local
  export IPUOF_VIPU_API_PARTITION_ID=slurm_12
  unset IPUOF_VIPU_API_GCD_ID
  unset IPUOF_CONFIG_PATH
  $ vipu create partition mine --size 1; IPUOF_VIPU_API_PARTITION_ID=mine plug/task_prolog
  create partition (mine): success
  $ vipu remove partition mine
  remove partition (mine): success
  $ SLURM_JOB_LICENSES=ipu:4 plug/epilog; SLURM_JOB_LICENSES=ipu:4 plug/epilog; list

Where users create their partitions themselves, in an allocation of the job:

  $ SLURM_JOB_LICENSES=ipu:4 plug/prolog
  $ vipu create partition p12 --allocation c13 --size 2 --reconfigurable
  create partition (p12): failed: allocation c13: does not exist.
  [1]
  $ vipu create partition p12 --allocation c12 --size 8 --reconfigurable
  create partition (p12): failed: allocation c12 has the 4 IPUs of job 12, not 8.
  [1]
  $ vipu create partition p12 --allocation c12 --size 2 --reconfigurable; list
  create partition (p12): success
  p12 2
  $ vipu create partition q12 --allocation c12 --size 1 2> warning; list
  create partition (q12): success
  p12 2
  q12 1
  $ SLURM_JOB_LICENSES=ipu:4 plug/epilog; list
  $ vipu create partition p12 --allocation c12 --size 2
  create partition (p12): failed: allocation c12: does not exist.
  [1]

A job without IPUs, a requeued one, and one that is too large:

  $ plug/prolog; SLURM_JOB_LICENSES=x:2 plug/prolog; plug/task_prolog; list
  $ export SLURM_JOB_LICENSES=ipu:8
  $ plug/prolog; plug/prolog; list
  slurm_12 8
  $ SLURM_JOB_LICENSES=ipu:16 SLURM_JOB_ID=13 ipubox slurm --wait 1 prolog
  ipubox-slurm: size 16: * (glob)
  [1]
  $ SLURM_JOB_LICENSES=ipu:32 SLURM_JOB_ID=13 plug/prolog
  ipubox-slurm: size 32: * (glob)
  $ SLURM_SPANK__SLURM_SPANK_OPTION_ipubox_ipus=32 SLURM_JOB_ID=13 plug/task_prolog
  print ipubox-slurm: partition slurm_13 does not exist: the log of slurmctld says why the prolog could not make it
  [1]

The epilog of job 12 is lost.  The partition stays while the job has nodes, and
while Slurm does not answer:

  $ mkdir bin; PATH=$PWD/bin:$PATH
  $ printf '#!/bin/sh\necho asked >> asked\n. ./answer\n' > bin/scontrol; chmod +x bin/scontrol
  $ look() { rm -f "$IPUBOX_STATE_DIR/looked"; echo "$1" > answer; list; }
  $ for state in RUNNING COMPLETING CONFIGURING SUSPENDED REQUEUED COMPLETED2; do look "echo JobId=12 JobState=$state Reason=None"; done
  slurm_12 8
  slurm_12 8
  slurm_12 8
  slurm_12 8
  slurm_12 8
  slurm_12 8
  $ look 'echo slurm_load_jobs error: Unable to contact slurm controller >&2; exit 1'
  slurm_12 8
  $ look 'sleep 60'
  slurm_12 8

Slurm is asked by one command in five seconds:

  $ grep -c asked asked; vipu list partitions > list; grep -c asked asked
  8
  8

The job is over, or unknown:

  $ look 'echo JobId=12 JobState=COMPLETED Reason=None'
  $ plug/prolog
  $ look 'echo slurm_load_jobs error: Invalid job id specified >&2; exit 1'

A partition that is not Slurm's stays, whatever its name is:

  $ vipu create partition slurm_12 --size 1
  create partition (slurm_12): success
  $ look 'echo JobId=12 JobState=COMPLETED Reason=None'; plug/epilog; list
  slurm_12 1
  slurm_12 1

Misuse:

  $ ipubox slurm
  ipubox-slurm: which command?
  usage: ipubox-slurm install DIR
  [2]
  $ ipubox slurm prolg 2>&1 | head -1
  ipubox-slurm: command 'prolg': must be install, prolog, epilog or task-prolog (did you mean prolog?)
  $ ipubox slurm install; ipubox slurm epilog now
  ipubox-slurm: install takes one directory
  usage: ipubox-slurm install DIR
  ipubox-slurm: epilog takes no arguments
  usage: ipubox-slurm install DIR
  [2]
  $ unset SLURM_JOB_ID; ipubox slurm prolog
  ipubox-slurm: SLURM_JOB_ID is not set: Slurm runs this command for its jobs
  [1]
  $ SLURM_JOB_ID=x ipubox slurm epilog
  ipubox-slurm: SLURM_JOB_ID 'x': not a whole number
  [1]
