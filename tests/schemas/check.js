#!/usr/bin/env node
/*
 * Whether manifests are what an API server takes: check.js CRDS FILE ...
 *
 * CRDS holds mpijob.yaml and jobset.yaml, the custom resource definitions, whose
 * objects are closed here: a field that they do not know is a fault, as it is
 * under kubectl's strict validation.  A Job is checked by the copy of batch/v1's
 * JobSpec in a JobSet, a Deployment by its pod template.  Then come
 * rules that no schema says: names, mounts, restart policies.  Prints a line
 * per document, or per fault; exit status 1 where there is one.
 */
'use strict';
const fs = require('fs');
const path = require('path');
const Ajv = require('ajv');
const formats = require('ajv-formats');
const YAML = require('yaml');

/* JSON schema of a schema of Kubernetes, whose objects know all their fields. */
function closed(schema) {
	if (Array.isArray(schema))
		return schema.map(closed);
	if (schema === null || typeof schema !== 'object')
		return schema;
	const out = {};
	for (const [key, value] of Object.entries(schema)) {
		if (key.startsWith('x-kubernetes-') || key === 'description' ||
		    key === 'default')
			continue;
		if (key === 'properties')
			out.properties = Object.fromEntries(Object.entries(value)
			    .map(([name, field]) => [name, closed(field)]));
		else if (['items', 'additionalProperties'].includes(key))
			out[key] = closed(value);
		else
			out[key] = value;
	}
	if (schema['x-kubernetes-int-or-string']) {
		delete out.type;
		out.anyOf = [{ type: 'integer' }, { type: 'string' }];
	}
	if (out.properties && out.additionalProperties === undefined &&
	    !schema['x-kubernetes-preserve-unknown-fields'])
		out.additionalProperties = false;
	return out;
}

function read(file) {
	const found = YAML.parse(fs.readFileSync(file, 'utf8'));
	return found.spec.versions.find(v => v.storage).schema.openAPIV3Schema;
}

const texts = { type: 'object', additionalProperties: { type: 'string' } };
const label = '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$';

function object(properties, required) {
	return { type: 'object', additionalProperties: false, properties,
		required: required || [] };
}

/* A whole object: what an API server fills in is not asked for. */
function whole(api, kind, properties, required) {
	const word = value => ({ type: 'string', const: value });
	return object({
		apiVersion: word(api), kind: word(kind),
		metadata: Object.assign(object({
			name: { type: 'string', pattern: label },
			generateName: { type: 'string',
				pattern: '^[a-z0-9][-a-z0-9]{0,57}$' },
			namespace: { type: 'string', pattern: label },
			labels: texts, annotations: texts
		}), { oneOf: [{ required: ['name'] },
			{ required: ['generateName'] }] }), ...properties
	}, ['apiVersion', 'kind', 'metadata', ...required]);
}

function schemas(directory, ajv) {
	const mpijob = closed(read(path.join(directory, 'mpijob.yaml')));
	const jobset = closed(read(path.join(directory, 'jobset.yaml')));
	const jobs = jobset.properties.spec.properties.replicatedJobs.items
	    .properties.template.properties;
	const pod = { $ref: 'pod' }, job = { $ref: 'job' };

	/* Each of them is large, and compiled once. */
	ajv.addSchema(jobs.spec.properties.template, 'pod');
	jobs.spec.properties.template = pod;
	ajv.addSchema(jobs.spec, 'job');
	const number = { type: 'integer', minimum: 1, maximum: 65535 };

	return {
		MPIJob: whole('kubeflow.org/v2beta1', 'MPIJob',
		    { spec: mpijob.properties.spec }, ['spec']),
		Job: whole('batch/v1', 'Job', { spec: job }, ['spec']),
		Deployment: whole('apps/v1', 'Deployment', { spec: object({
			replicas: { type: 'integer' },
			strategy: object({ type: { enum: ['Recreate',
			    'RollingUpdate'] } }),
			selector: object({ matchLabels: texts }),
			template: pod
		}, ['selector', 'template']) }, ['spec']),
		Service: whole('v1', 'Service', { spec: object({
			selector: texts,
			ports: { type: 'array', items: object({
				name: { type: 'string', pattern: label },
				port: number, targetPort: number
			}, ['port']) }
		}, ['ports']) }, ['spec']),
		ConfigMap: whole('v1', 'ConfigMap', { data: texts }, [])
	};
}

/* ---- what no schema says ---- */

function twice(values) {
	return values.filter((value, i) => values.indexOf(value) !== i);
}

function* container(c, volumes, where) {
	const mounts = c.volumeMounts || [];

	for (const path of twice(mounts.map(m => m.mountPath)))
		yield `${where}: ${path} is mounted twice`;
	for (const mount of mounts)
		if (!volumes.includes(mount.name))
			yield `${where}: there is no volume ${mount.name}`;
	for (const name of twice((c.env || []).map(v => v.name)))
		yield `${where}: ${name} is set twice`;
	const before = [];
	for (const variable of c.env || []) {
		for (const [, name] of (variable.value || '')
		    .matchAll(/(?<!\$)\$\((\w+)\)/g))
			if (!before.includes(name))
				yield `${where}: ${variable.name} refers to ` +
				    `${name}, which does not stand before it`;
		before.push(variable.name);
	}
}

function* pod(template, where) {
	const spec = template.spec, all = [...(spec.initContainers || []),
		...spec.containers];
	const volumes = (spec.volumes || []).map(v => v.name);

	for (const name of twice(all.map(c => c.name)))
		yield `${where}: two containers are called ${name}`;
	for (const name of twice(volumes))
		yield `${where}: two volumes are called ${name}`;
	for (const c of all) {
		if (!new RegExp(label).test(c.name))
			yield `${where}: a container is called '${c.name}'`;
		if (!c.image)
			yield `${where}: ${c.name} has no image`;
		yield* container(c, volumes, `${where}: ${c.name}`);
	}
	for (const c of spec.initContainers || [])
		if (c.restartPolicy !== 'Always' && (c.readinessProbe ||
		    c.livenessProbe || c.startupProbe || c.lifecycle))
			yield `${where}: ${c.name} ends, and has a probe`;
}

function* jobSpec(spec, where) {
	const template = spec.template, policy = spec.podFailurePolicy;

	yield* pod(template, where);
	if (!['Never', 'OnFailure'].includes(template.spec.restartPolicy))
		yield `${where}: restartPolicy is neither Never nor OnFailure`;
	if (policy && template.spec.restartPolicy !== 'Never')
		yield `${where}: podFailurePolicy wants restartPolicy Never`;
	for (const rule of policy ? policy.rules : []) {
		const codes = rule.onExitCodes;
		if (!codes)
			continue;
		if (!template.spec.containers.some(c =>
		    c.name === codes.containerName))
			yield `${where}: ${codes.containerName} is no container`;
		if (codes.values.some((v, i) => i > 0 &&
		    v <= codes.values[i - 1]) || codes.values.length > 255)
			yield `${where}: exit codes are not in order`;
		if (codes.operator === 'In' && codes.values.includes(0))
			yield `${where}: 0 is no failure`;
	}
	if (spec.completionMode === 'Indexed' && spec.completions === undefined)
		yield `${where}: an Indexed Job has completions`;
}

function* mpiJob(spec) {
	const { Launcher, Worker, ...others } = spec.mpiReplicaSpecs;

	if (Object.keys(others).length > 0)
		yield 'there are replicas beside Launcher and Worker';
	if (!Launcher || Launcher.replicas !== 1)
		yield 'there is not one launcher';
	if (Worker && !(Worker.replicas >= 1))
		yield 'there is no worker';
	if (!['None', 'Running', 'All'].includes(spec.runPolicy.cleanPodPolicy))
		yield `cleanPodPolicy is ${spec.runPolicy.cleanPodPolicy}`;
	for (const [name, replica] of Object.entries(spec.mpiReplicaSpecs)) {
		if (!['Never', 'OnFailure'].includes(replica.restartPolicy))
			yield `${name}: restartPolicy ${replica.restartPolicy}`;
		if (replica.template.spec.restartPolicy)
			yield `${name}: restartPolicy stands in the template`;
		yield* pod(replica.template, name);
	}
}

function* deployment(spec) {
	const labels = (spec.template.metadata || {}).labels || {};

	for (const [key, value] of Object.entries(spec.selector.matchLabels))
		if (labels[key] !== value)
			yield `the pods have no label ${key}=${value}`;
	if ((spec.template.spec.restartPolicy || 'Always') !== 'Always')
		yield 'the pods of a Deployment always begin again';
	yield* pod(spec.template, 'pods');
}

const rules = { MPIJob: mpiJob, Deployment: deployment,
	Job: spec => jobSpec(spec, 'pods') };

/* ---- files ---- */

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
formats(ajv, ['int32', 'int64', 'date-time', 'double', 'byte']);
const known = schemas(process.argv[2], ajv), validators = {};
let faults = 0, count = 0;

function fault(where, text) {
	console.log(`not ok - ${where}: ${text}`);
	faults++;
}

for (const file of process.argv.slice(3)) {
	const documents = YAML.parseAllDocuments(fs.readFileSync(file, 'utf8'));
	for (const document of documents) {
		const value = document.toJS();
		if (value === null)
			continue;
		const metadata = value.metadata || {};
		const where = `${path.basename(file)}: ${value.kind} ` +
		    `${metadata.name || metadata.generateName}`;
		const before = faults;
		count++;
		for (const error of document.errors)
			fault(where, error.message);
		if (!known[value.kind]) {
			fault(where, 'no schema');
			continue;
		}
		const validate = validators[value.kind] ||
		    (validators[value.kind] = ajv.compile(known[value.kind]));
		if (!validate(value))
			for (const e of validate.errors)
				fault(where, `${e.instancePath}: ${e.message}` +
				    (e.params.additionalProperty !== undefined ?
				    `: ${e.params.additionalProperty}` : ''));
		else if (rules[value.kind])
			for (const text of rules[value.kind](value.spec))
				fault(where, text);
		if (faults === before)
			console.log(`ok - ${where}`);
	}
}
if (count === 0)
	fault('no file', 'nothing to check');
process.exit(faults === 0 ? 0 : 1);
