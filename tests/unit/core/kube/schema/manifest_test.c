/* manifest: files to objects, and what cannot be read. */
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/kube/schema/schema.h"
#include "core/kube/yaml/yaml.h"
#include "tests/unit/tap.h"

/* One line per object; the caller frees it. */
static char *
dump_manifest(const struct manifest *m)
{
	const struct manifest_object *o;
	struct memstream s;
	size_t i;

	memstream_open(&s);
	for (i = 0; i < m->count; i++) {
		o = &m->objects[i];
		fprintf(s.file, "%d %s %s %s:%d %s %s %s\n", (int)o->kind,
		    o->resource, o->api_version, o->file, o->node->line,
		    o->name == NULL ? "-" : o->name,
		    o->generate_name == NULL ? "-" : o->generate_name,
		    o->space == NULL ? "-" : o->space);
	}
	return memstream_close(&s, NULL);
}

static void
test_objects(void)
{
	static const struct {
		const char *text;
		const char *wanted;
	} vectors[] = {
		{ "", "" },
		{ "# nothing\n---\n---\n", "" },
		{ "apiVersion: graphcore.ai/v1alpha1\nkind: IPUJob\n"
		  "metadata: {name: a, namespace: lab}\n",
		    "0 ipujob.graphcore.ai graphcore.ai/v1alpha1 f:1 a - "
		    "lab\n" },
		{ "kind: ConfigMap\napiVersion: v1\nmetadata:\n  generateName: "
		  "c-\n---\nkind: Secret\n---\nkind: "
		  "PersistentVolumeClaim\n---\nkind: Service\n---\n"
		  "kind: Namespace\n",
		    "1 configmap v1 f:1 - c- -\n"
		    "2 secret  f:6 - - -\n"
		    "3 persistentvolumeclaim  f:8 - - -\n"
		    "4 service  f:10 - - -\n"
		    "5 namespace  f:12 - - -\n" },
		/* an IPUJob of any version; another group's Service is not */
		{ "kind: IPUJob\napiVersion: graphcore.ai/v1\n---\n"
		  "kind: Service\napiVersion: serving.knative.dev/v1\n---\n"
		  "kind: Deployment\n---\n{}\n",
		    "0 ipujob.graphcore.ai graphcore.ai/v1 f:1 - - -\n"
		    "6 service serving.knative.dev/v1 f:4 - - -\n"
		    "6 deployment  f:7 - - -\n"
		    "6   f:9 - - -\n" },
		/* names that are none */
		{ "kind: IPUJob\nmetadata: {name: 4, generateName: ~, "
		  "namespace: [a]}\n",
		    "0 ipujob.graphcore.ai  f:1 - - -\n" },
		{ "kind: IPUJob\nmetadata: x\n",
		    "0 ipujob.graphcore.ai  f:1 - - -\n" },
		/* lists */
		{ "kind: List\napiVersion: v1\nitems:\n- kind: Secret\n"
		  "- {kind: IPUJob, metadata: {name: b}}\n",
		    "2 secret  f:4 - - -\n"
		    "0 ipujob.graphcore.ai  f:5 b - -\n" },
		{ "kind: IPUJobList\nitems:\n- kind: IPUJob\n",
		    "0 ipujob.graphcore.ai  f:3 - - -\n" },
		{ "kind: List\nitems: []\n", "" },
		{ "kind: List\n", "6 list  f:1 - - -\n" },
		/* JSON */
		{ "{\"kind\": \"IPUJob\", \"metadata\": {\"name\": \"j\"}}",
		    "0 ipujob.graphcore.ai  f:1 j - -\n" },
		{ "{\"kind\": \"Secret\"}\n{\"kind\": \"ConfigMap\"}\n",
		    "2 secret  f:1 - - -\n1 configmap  f:2 - - -\n" },
		/* what is refused */
		{ "- a\n",
		    "f:1:1: must be an object with apiVersion: and kind:" },
		{ "kind: Secret\n---\nword\n",
		    "f:3:1: must be an object with apiVersion: and kind:" },
		{ "kind: List\nitems: [1]\n",
		    "f:2:9: must be an object with apiVersion: and kind:" },
	};
	struct manifest m;
	struct error e;
	char *got, name[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		manifest_init(&m);
		(void)snprintf(name, sizeof(name), "text %zu", i);
		got = manifest_parse(&m, "f", vectors[i].text,
			  strlen(vectors[i].text), &e) == 0 ?
		    dump_manifest(&m) :
		    xstrdup(e.text);
		is_str(got, vectors[i].wanted, name);
		free(got);
		manifest_release(&m);
	}
}

/* Only what stands behind the first ';', which is ours. */
static void
test_explanations(void)
{
	static const struct {
		const char *text;
		const char *wanted; /* "": nothing */
	} vectors[] = {
		{ "kind: IPUJob\n  a: b\n", "" },
		{ "{{- if .x }}\nkind: IPUJob\n{{- end }}\n",
		    " it is a template: fill it in first, for example with "
		    "helm template" },
		{ "a: {% if x %}b: c\n",
		    " it is a template: fill it in first, for example with "
		    "helm template" },
		{ "kind: IPUJob\nmetadata:\ngenerateName: a-\nspec:\n"
		  "workers:\ntemplate:\nspec:\ncontainers:\ncd;\n",
		    " the lines have lost their indentation, perhaps when "
		    "copied from a page: indent the fields of metadata: and "
		    "spec: by two spaces" },
		/* with comments, and the line ends of another system */
		{ "kind: IPUJob\r\nmetadata:\r\n\r\n# x\r\nname: "
		  "a\r\nspec:\r\njobInstances: 1\r\nspec:\r\ncd;\r\n",
		    " the lines have lost their indentation, perhaps when "
		    "copied from a page: indent the fields of metadata: and "
		    "spec: by two spaces" },
		{ "kind: IPUJob\nmetadata:\n  name: a\nkind: b: c\n", "" },
		{ "kind: a\n<<<<<<< HEAD\nx: 1\n=======\n",
		    " line 2 is a conflict of git: resolve it" },
		{ "```yaml\nkind: a\n",
		    " line 1 is the fence of a Markdown page: remove it" },
		{ "$ cat x\nkind: a: b\n",
		    " line 1 begins with a shell's prompt: remove it" },
		{ "a:\n\302\240\302\240b: c\n\302\240 d: e\n f: [\n",
		    " line 2 is indented with no-break spaces, perhaps copied "
		    "from a page: use plain spaces" },
		{ "  1  kind: a\n  2  b:\n  3    c: d\n 4 e: f\n",
		    " its lines begin with line numbers: remove them" },
	};
	struct manifest m;
	struct error e;
	char *reason, name[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		manifest_init(&m);
		(void)snprintf(name, sizeof(name), "trace %zu", i);
		is_int(manifest_parse(&m, "f", vectors[i].text,
			   strlen(vectors[i].text), &e),
		    -1, name);
		/* An explanation is the last of what is said. */
		reason = strrchr(e.text, ';');
		is_str(reason == NULL || *vectors[i].wanted == '\0' ?
			"" :
			reason + 1,
		    vectors[i].wanted, e.text);
		ok(*vectors[i].wanted != '\0' ||
			(strstr(e.text, "indentation,") == NULL &&
			    strstr(e.text, "template") == NULL),
		    "nothing is guessed");
		is_int(e.code, ERROR_INVALID, "its code");
		manifest_release(&m);
	}
	e.text[0] = '\0';
	manifest_text_explain("", 0, &e);
	is_str(e.text, "", "nothing of nothing");
}

static void
test_unfilled(void)
{
	static const struct {
		const char *value;
		bool is_one;
	} vectors[] = {
		{ "bert", false },
		{ "", false },
		{ "a$b", false },
		{ "{{ .Release.Name }}-x", true },
		{ "${JOB_NAME}", true },
		{ "$(JOB)", true },
		{ "sweep-<experiment-id>", true },
		{ "\342\200\2344\342\200\235", true },
		{ "\342\200\2314", true },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++)
		is_int(*manifest_text_unfilled(vectors[i].value) == ';',
		    vectors[i].is_one, vectors[i].value);
}

/* A file of the test's directory. */
static void
put_file(const char *name, const char *text)
{
	if (file_replace(tap_directory(), name, text, strlen(text), NULL) != 0)
		exit(1);
}

static void
check_reading(const char *name, bool recursive, const char *wanted,
    const char *what)
{
	struct manifest m;
	struct error e;
	char *path = xasprintf("%s%s%s", tap_directory(),
		 *name == '\0' ? "" : "/", name),
	     *got, *plain;

	manifest_init(&m);
	got = manifest_read(&m, path, recursive, &e) == 0 ?
	    dump_manifest(&m) :
	    xstrdup(e.text);
	/* The directory has another name in each run. */
	while ((plain = strstr(got, tap_directory())) != NULL)
		memmove(plain, plain + strlen(tap_directory()),
		    strlen(plain + strlen(tap_directory())) + 1);
	is_str(got, wanted, what);
	free(got);
	free(path);
	manifest_release(&m);
}

static void
check_read(const char *name, const char *wanted, const char *what)
{
	check_reading(name, false, wanted, what);
}

/* A directory of another one, and a link that leads around. */
static void
test_below(void)
{
	static const char text[] = "kind: Secret\nmetadata: {name: d}\n";
	char *below = xasprintf("%s/ab.yaml", tap_directory());
	char *around = xasprintf("%s/around", below);

	if (mkdir(below, 0700) != 0 || symlink("..", around) != 0)
		exit(1);
	check_read("",
	    "2 secret  /a.yaml:1 a - -\n"
	    "2 secret  /b.yml:1 b - -\n"
	    "2 secret  /c.json:1 c - -\n",
	    "no directory below it");
	if (file_replace(below, "d.yaml", text, strlen(text), NULL) != 0)
		exit(1);
	check_reading("", true,
	    "2 secret  /a.yaml:1 a - -\n"
	    "2 secret  /ab.yaml/d.yaml:1 d - -\n"
	    "2 secret  /b.yml:1 b - -\n"
	    "2 secret  /c.json:1 c - -\n",
	    "with those below it");
	free(around);
	free(below);
}

static void
test_files(void)
{
	char *path;
	pid_t pid;
	int fd;

	check_read("", ": contains no .yaml, .yml or .json file",
	    "an empty directory");
	put_file("b.yml", "kind: Secret\nmetadata: {name: b}\n");
	put_file("a.yaml", "kind: Secret\nmetadata: {name: a}\n");
	put_file("c.json",
	    "{\"kind\": \"Secret\", \"metadata\": {\"name\": \"c\"}}");
	put_file("d.txt", "kind: Secret\n");
	put_file(".yaml", "kind: Secret\n");
	check_read("a.yaml", "2 secret  /a.yaml:1 a - -\n", "a file");
	check_read("d.txt", "2 secret  /d.txt:1 - - -\n", "of any name");
	check_read("",
	    "2 secret  /a.yaml:1 a - -\n"
	    "2 secret  /b.yml:1 b - -\n"
	    "2 secret  /c.json:1 c - -\n",
	    "a directory, in the order of names");
	test_below();
	check_read("nothing", "cannot open /nothing: No such file or directory",
	    "what is not there");
	put_file("z.yaml", "a: [\n");
	path = xasprintf("%s/fifo", tap_directory());
	if (mkfifo(path, 0600) != 0 || (pid = fork()) == -1)
		exit(1);
	if (pid == 0) {
		fd = open(path, O_WRONLY);
		(void)!write(fd, "kind: Secret\n", 13);
		_exit(0);
	}
	check_read("fifo", "2 secret  /fifo:1 - - -\n", "a pipe");
	(void)waitpid(pid, NULL, 0);
	free(path);
}

static void
test_stdin(void)
{
	struct manifest m;
	struct error e;
	char *got;
	int ends[2];

	if (pipe(ends) != 0)
		exit(1);
	(void)!write(ends[1], "kind: Secret\n", 13);
	(void)close(ends[1]);
	(void)dup2(ends[0], STDIN_FILENO);
	(void)close(ends[0]);
	manifest_init(&m);
	is_int(manifest_read(&m, "-", false, &e), 0, "standard input");
	got = dump_manifest(&m);
	is_str(got, "2 secret  stdin:1 - - -\n", "and what it is called");
	free(got);
	manifest_release(&m);
}

/* More objects than anybody has. */
static void
test_many(void)
{
	struct manifest m;
	struct memstream s;
	struct error e;
	char *text;
	size_t size;
	int i;

	memstream_open(&s);
	for (i = 0; i <= MANIFEST_OBJECTS_MAX; i++)
		fprintf(s.file, "---\nkind: Secret\n");
	text = memstream_close(&s, &size);
	manifest_init(&m);
	is_int(manifest_parse(&m, "f", text,
		   size - strlen("---\nkind: Secret\n"), &e),
	    0, "as many as there may be");
	manifest_release(&m);
	manifest_init(&m);
	is_int(manifest_parse(&m, "f", text, size, &e), -1, "one more");
	is_str(e.text, "f:2002:1: more than 1000 objects", "why not");
	manifest_release(&m);
	free(text);
}

static void
test_defaults(void)
{
	static const struct {
		const char *text;
		const char *wanted; /* as a line of JSON */
	} vectors[] = {
		{ "kind: IPUJob\nspec: {workers: {}}\n",
		    "{\"kind\":\"IPUJob\",\"spec\":{\"workers\":{\"replicas\":"
		    "1},\"cleanPodPolicy\":\"None\",\"restartPolicy\":{"
		    "\"type\":\"Never\",\"backOffLimit\":3}}}" },
		{ "kind: IPUJob\nspec: {workers: {replicas: 2}, "
		  "cleanPodPolicy: All, restartPolicy: {type: Always, "
		  "backOffLimit: 0}}\n",
		    "{\"kind\":\"IPUJob\",\"spec\":{\"workers\":{\"replicas\":"
		    "2},\"cleanPodPolicy\":\"All\",\"restartPolicy\":{\"type\":"
		    "\"Always\",\"backOffLimit\":0}}}" },
		{ "kind: IPUJob\nspec: {workers: [], restartPolicy: Never, "
		  "cleanPodPolicy: ~}\n",
		    "{\"kind\":\"IPUJob\",\"spec\":{\"workers\":[],"
		    "\"restartPolicy\":\"Never\",\"cleanPodPolicy\":\"None\"}"
		    "}" },
		{ "kind: IPUJob\n", "{\"kind\":\"IPUJob\"}" },
		{ "kind: IPUJob\nspec: x\n",
		    "{\"kind\":\"IPUJob\",\"spec\":\"x\"}" },
		{ "kind: Secret\nspec: {}\n",
		    "{\"kind\":\"Secret\",\"spec\":{}}" },
	};
	struct manifest m;
	struct memstream s;
	char *got, name[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		manifest_init(&m);
		(void)snprintf(name, sizeof(name), "defaults %zu", i);
		if (!ok(manifest_parse(&m, "f", vectors[i].text,
			    strlen(vectors[i].text), NULL) == 0,
			name))
			continue;
		manifest_set_defaults(&m, &m.objects[0]);
		memstream_open(&s);
		yaml_write_json_line(s.file, m.objects[0].node);
		got = memstream_close(&s, NULL);
		is_str(got, vectors[i].wanted, name);
		free(got);
		manifest_release(&m);
	}
}

/* What two objects share by an alias is each one's own. */
static void
test_aliases(void)
{
	static const char text[] = "kind: List\nitems:\n"
				   "- {kind: IPUJob, spec: &s {workers: {}}}\n"
				   "- {kind: IPUJob, spec: *s}\n";
	struct manifest m;

	manifest_init(&m);
	is_int(manifest_parse(&m, "f", text, strlen(text), NULL), 0, "aliases");
	manifest_set_defaults(&m, &m.objects[0]);
	is_str(yaml_get_text(m.objects[0].node, "spec/cleanPodPolicy"), "None",
	    "the one has its defaults");
	ok(yaml_get_text(m.objects[1].node, "spec/cleanPodPolicy") == NULL,
	    "the other is as it was");
	manifest_release(&m);
}

static void
test_find(void)
{
	static const char text[] =
	    "{kind: Secret, metadata: {name: a, namespace: x}}\n---\n"
	    "{kind: Secret, metadata: {name: b}}\n---\n"
	    "{kind: ConfigMap, metadata: {name: a}}\n";
	struct manifest m;

	manifest_init(&m);
	is_int(manifest_parse(&m, "f", text, strlen(text), NULL), 0, "three");
	ok(manifest_find(&m, MANIFEST_SECRET, "a", "x") == &m.objects[0],
	    "by its namespace");
	ok(manifest_find(&m, MANIFEST_SECRET, "a", NULL) == &m.objects[0],
	    "from any namespace");
	ok(manifest_find(&m, MANIFEST_SECRET, "a", "y") == NULL,
	    "not from another");
	ok(manifest_find(&m, MANIFEST_SECRET, "b", "y") == &m.objects[1],
	    "one that is in every namespace");
	ok(manifest_find(&m, MANIFEST_CONFIG_MAP, "b", NULL) == NULL,
	    "of its kind");
	manifest_release(&m);
}

int
main(void)
{
	test_objects();
	test_explanations();
	test_unfilled();
	test_files();
	test_stdin();
	test_many();
	test_defaults();
	test_aliases();
	test_find();
	return tap_done();
}
