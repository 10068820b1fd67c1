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
