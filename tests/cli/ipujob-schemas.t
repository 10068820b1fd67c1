#skip-unless ! ldd "$IPUBOX" # the manifests are the same from every build
#skip-unless ls "${IPUBOX%/*}/npm/node" # node, npm and its registry
#skip-unless ls "${CRDS_DIR:-$TESTDIR/../../shared/data/crds}"/mpijob.yaml.xz
What IPUJobs become on a cluster (tests/golden/ipujob-render), against the
custom resource definition of MPIJob and the pods and Jobs of JobSet's, whose
objects are closed: a field that they do not know is a fault.

  $ export NODE_PATH="${IPUBOX%/*}/npm/node_modules"
  $ for kind in mpijob jobset; do
  >   xz -dc "${CRDS_DIR:-$TESTDIR/../../shared/data/crds}/$kind.yaml.xz" > $kind.yaml
  > done
  $ check() { "${IPUBOX%/*}/npm/node" "$TESTDIR/schemas/check.js" . "$@"; }

  $ check "$TESTDIR"/golden/ipujob-render/*.ok > said; grep -v '^ok' said
  [1]
  $ for kind in MPIJob Job Deployment Service ConfigMap; do
  >   ok=$(grep -c "^ok - .*[.]ok: $kind " said)
  >   all=$(cat "$TESTDIR"/golden/ipujob-render/*.ok | grep -c "^kind: $kind\$")
  >   [ "$ok" = "$all" ] && [ "$ok" != 0 ] || echo "$kind: $ok of $all"
  > done

What is wrong is found:

  $ check "$TESTDIR/schemas/wrong.yaml" "$TESTDIR/golden/ipujob-render/single.yaml"
  not ok - wrong.yaml: Job unknown-field: /spec: must NOT have additional properties: backOffLimit
  not ok - wrong.yaml: Job unknown-field: /spec/template/spec/containers/0: must NOT have additional properties: hostIPC
  not ok - wrong.yaml: Job rules: pods: two containers are called w
  not ok - wrong.yaml: Job rules: pods: two volumes are called v
  not ok - wrong.yaml: Job rules: pods: w has no image
  not ok - wrong.yaml: Job rules: pods: w: /x is mounted twice
  not ok - wrong.yaml: Job rules: pods: w: there is no volume u
  not ok - wrong.yaml: Job rules: pods: w: A is set twice
  not ok - wrong.yaml: Job rules: pods: w: A refers to B, which does not stand before it
  not ok - wrong.yaml: Job rules: pods: w ends, and has a probe
  not ok - wrong.yaml: Job rules: pods: podFailurePolicy wants restartPolicy Never
  not ok - wrong.yaml: Job rules: pods: x is no container
  not ok - wrong.yaml: Job rules: pods: exit codes are not in order
  not ok - wrong.yaml: Job rules: pods: 0 is no failure
  not ok - wrong.yaml: Job rules: pods: an Indexed Job has completions
  not ok - wrong.yaml: MPIJob no-launcher: /metadata: must match exactly one schema in oneOf
  not ok - wrong.yaml: MPIJob no-launcher: /spec/mpiReplicaSpecs/Worker/template/spec/containers/0/resources/limits/cpu: must be integer
  not ok - wrong.yaml: MPIJob no-launcher: /spec/mpiReplicaSpecs/Worker/template/spec/containers/0/resources/limits/cpu: must be string
  not ok - wrong.yaml: MPIJob no-launcher: /spec/mpiReplicaSpecs/Worker/template/spec/containers/0/resources/limits/cpu: must match a schema in anyOf
  not ok - wrong.yaml: MPIJob policies: there is not one launcher
  not ok - wrong.yaml: MPIJob policies: cleanPodPolicy is Workers
  not ok - wrong.yaml: MPIJob policies: Launcher: restartPolicy ExitCode
  not ok - wrong.yaml: MPIJob policies: Launcher: restartPolicy stands in the template
  not ok - wrong.yaml: MPIJob policies: Launcher: a container is called 'W'
  not ok - wrong.yaml: Job always: pods: restartPolicy is neither Never nor OnFailure
  not ok - wrong.yaml: Deployment labels: the pods have no label a=b
  not ok - wrong.yaml: Deployment labels: the pods of a Deployment always begin again
  not ok - wrong.yaml: Service Upper: /metadata/name: must match pattern "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"
  not ok - wrong.yaml: Service Upper: /spec/ports/0/port: must be >= 1
  not ok - wrong.yaml: Pod unknown: no schema
  not ok - single.yaml: IPUJob mnist-training-: no schema
  [1]
  $ check
  not ok - no file: nothing to check
  [1]
