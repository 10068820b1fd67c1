What apply changes of an object that is there: all that its manifest says.

  $ job() { ipubox-job "$@"; }
  $ cat > settings.yaml <<END
  > apiVersion: v1
  > kind: ConfigMap
  > metadata: {name: settings, labels: {team: a}}
  > data: {one: "1"}
  > binaryData: {two: Mg==}
  > END
  $ texts() { job get configmap settings -o jsonpath='{.data} {.binaryData} {.immutable} {.metadata.labels}{"\n"}'; }
  $ job apply -f settings.yaml
  configmap/settings created
  $ job apply -f settings.yaml
  configmap/settings unchanged
  $ sed -i 's/Mg==/Mw==/' settings.yaml; job apply -f settings.yaml; texts
  configmap/settings configured
  {"one":"1"} {"two":"Mw=="}  {"team":"a"}

What it does not say any more goes.

  $ sed -i '/^data/d; s/, labels.*}}/}/' settings.yaml; job apply -f settings.yaml; texts
  configmap/settings configured
   {"two":"Mw=="}  
  $ job apply -f settings.yaml
  configmap/settings unchanged

One that is immutable keeps its texts, and stays so.

  $ echo 'immutable: true' >> settings.yaml; job apply -f settings.yaml
  configmap/settings configured
  $ sed 's/Mw==/NA==/' settings.yaml | job apply -f -
  The ConfigMap "settings" is invalid: binaryData: Forbidden: field is immutable when `immutable` is set
  [1]
  $ sed '/immutable/d' settings.yaml | job apply -f -
  The ConfigMap "settings" is invalid: immutable: Forbidden: field is immutable when `immutable` is set
  [1]
  $ sed 's/name: settings/&, labels: {team: b}/' settings.yaml | job apply -f -; texts
  configmap/settings configured
   {"two":"Mw=="} true {"team":"b"}

It has no containers:

  $ for verb in 'exec cm/settings -- true' 'cp cm/settings:/x y' 'logs cm/settings'; do job $verb; done
  error: cm/settings has no containers; name a pod or an IPUJob
  error: cm/settings has no containers; name a pod or an IPUJob
  error: cm/settings has no containers; name a pod or an IPUJob
  [1]

A file may have objects of several namespaces, and one without a name yet: each
verb looks for the others where they are, and goes on.

  $ job() { ipubox-job "$@" 2>&1; }
  $ manifest() { printf -- '---\napiVersion: graphcore.ai/v1alpha1\nkind: IPUJob\nmetadata: {%s}\nspec: {jobInstances: 1, ipusPerJobInstance: "1", workers: {template: {spec: {containers: [{name: c, image: i, command: ["true"]}]}}}}\n' "$1"; }
  $ (echo '{apiVersion: v1, kind: ConfigMap, metadata: {name: here}}'; echo '---'; echo '{apiVersion: v1, kind: Pod, metadata: {name: beside}}'; manifest 'generateName: gen-'; manifest 'name: far, namespace: away') > several.yaml
  $ job create -f several.yaml
  Warning: several.yaml:3:24: kind: Pod is skipped: only IPUJobs run here
  configmap/here created
  ipujob.graphcore.ai/gen-* created (glob)
  ipujob.graphcore.ai/far created
  $ sed -i 1,2d several.yaml; job wait --for=condition=Succeeded -f several.yaml
  error: resource name may not be empty
  ipujob.graphcore.ai/far condition met
  [1]
  $ (manifest 'name: far, namespace: away'; echo '---'; echo '{apiVersion: v1, kind: ConfigMap, metadata: {name: here}}') > both.yaml
  $ job get -f both.yaml -o name
  ipujob.graphcore.ai/far
  configmap/here
  $ job delete -f several.yaml
  error: resource name may not be empty
  ipujob.graphcore.ai "far" deleted
  [1]
  $ job delete --ignore-not-found -f both.yaml
  configmap "here" deleted
