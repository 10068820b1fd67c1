/*
 * Writes and reads check-points.  The file begins with readable lines: the
 * subject of training, its order and its progress.  An empty line ends them.
 * Then come the parameters and the optimiser's states as 32-bit floats, least
 * significant byte first, and the SHA-256 digest of everything before it.  The
 * file is written whole or not at all (core/base/files/file_link.h).
 */
#include "ipu/nn/nn.h"

#include <inttypes.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/files/file_link.h"
#include "core/base/text.h"

enum {
	TEXT_MAX = 64 << 10, /* of the lines */
	EPOCHS_MAX = 1000000 /* as many as a run may have */
};

static const char checkpoint_magic[] = "ipubox checkpoint 1\n";

/* Return the number of arrays: the parameters, then the states. */
static int
array_count(const struct checkpoint_run *r)
{
	return 1 + optimiser_states(&r->optimiser);
}

static float *
array(const struct checkpoint *c, int i)
{
	return i == 0 ? c->parameters : c->state[i - 1];
}

/* Print the lines that must be equal in both runs. */
static void
print_run(FILE *f, const struct checkpoint_run *r)
{
	const struct model *m = r->model;
	const struct optimiser *o = &r->optimiser;
	int i;

	fprintf(f, "%sinput %dx%dx%d\n", checkpoint_magic, m->in.channels,
	    m->in.height, m->in.width);
	for (i = 0; i < m->layer_count; i++) {
		const struct layer_spec *s = &m->layers[i].spec;

		fprintf(f,
		    "layer %d %s out=%d kernel=%d stride=%d padding=%d "
		    "bias=%d",
		    i, model_kind_name(s->kind), s->out, s->kernel, s->stride,
		    s->padding, !s->no_bias);
		model_layer_print(s, f);
		fputc('\n', f);
	}
	if (r->loss.kind != LOSS_CROSS_ENTROPY || r->loss.sum ||
	    r->loss.ignores)
		fprintf(f, "loss %s sum=%d ignores=%d ignore_index=%d\n",
		    loss_words[r->loss.kind], r->loss.sum, r->loss.ignores,
		    r->loss.ignore_index);
	if (r->loss.smoothing > 0)
		fprintf(f, "loss label_smoothing=%.9g\n",
		    (double)r->loss.smoothing);
	for (i = 0; i < r->loss.weight_count; i++)
		fprintf(f, "loss weight %d=%.9g\n", i,
		    (double)r->loss.weights[i]);
	fprintf(f,
	    "optimiser %s learning_rate=%.17g momentum=%.17g beta1=%.17g "
	    "beta2=%.17g epsilon=%.17g weight_decay=%.17g",
	    optimiser_words[o->kind], o->learning_rate, o->momentum, o->beta1,
	    o->beta2, o->epsilon, o->weight_decay);
	if (o->dampening != 0 || o->nesterov)
		fprintf(f, " dampening=%.17g nesterov=%d", o->dampening,
		    o->nesterov);
	if (o->kind == OPTIMISER_RMSPROP)
		fprintf(f, " alpha=%.17g centered=%d", o->alpha, o->centered);
	fputc('\n', f);
	fprintf(f, "seed %" PRIu64 "\n", r->seed);
	fprintf(f, "data %s samples=%" PRIu32 " mean=%.9g deviation=%.9g\n",
	    r->generated ? "generated" : "files", r->samples, (double)r->mean,
	    (double)r->deviation);
	fprintf(f,
	    "order batch_size=%d gradient_accumulation=%d device_iterations=%d "
	    "replicas=%d\n",
	    r->micro_batch, r->gradient_accumulation, r->device_iterations,
	    r->replicas);
}

/* Return the lines of a run, which the caller frees; runs match if these are
   equal. */
static char *
run_text(const struct checkpoint_run *r, size_t *size)
{
	struct memstream m;

	print_run(memstream_open(&m), r);
	return memstream_close(&m, size);
}

/* Compute SHA-256 (FIPS 180-4). */
static void
digest(const char *bytes, size_t size, uint8_t *to)
{
	SHA2_CTX c;

	SHA256Init(&c);
	SHA256Update(&c, (const uint8_t *)bytes, size);
	SHA256Final(to, &c);
}

/* ipubox runs only on little-endian hosts. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
    "floats are written as they are");

/* Builds the whole file in memory: its digest covers everything before it, and
   output_file_write() writes all or nothing. */
int
checkpoint_save(const struct checkpoint *c, const struct checkpoint_run *r,
    const char *path, struct error *e)
{
	const size_t bytes = r->model->parameter_count * sizeof(float);
	size_t size;
	char *text = run_text(r, &size), *lines, *file;
	int i, status;

	lines = xasprintf("%sepochs %d\nupdates %ld\n\n", text, c->epochs,
	    c->updates);
	size = strlen(lines);
	file = xmalloc(size + (size_t)array_count(r) * bytes +
	    SHA256_DIGEST_LENGTH);
	memcpy(file, lines, size);
	for (i = 0; i < array_count(r); i++, size += bytes)
		memcpy(file + size, array(c, i), bytes);
	digest(file, size, (uint8_t *)file + size);
	status = output_file_write(path, OUTPUT_KEPT, file,
	    size + SHA256_DIGEST_LENGTH, e);
	free(file);
	free(lines);
	free(text);
	return status;
}

/* Report the first line that differs; both texts end with a newline. */
static int
refuse_line(const char *path, const char *has, const char *wanted,
    struct error *e)
{
	size_t n;

	for (;;) {
		n = strcspn(wanted, "\n") + 1;
		if (strncmp(has, wanted, n) != 0)
			break;
		has += n;
		wanted += n;
	}
	return error_set(e,
	    "%s is from another run: it has \"%.*s\", but this run has "
	    "\"%.*s\"",
	    path, (int)strcspn(has, "\n"), has, (int)n - 1, wanted);
}

/* Parse "epochs 3\nupdates 450\n\n".  Returns the rest, or NULL. */
static const char *
read_place(struct checkpoint *c, const char *text)
{
	static const char form[] = "epochs %d\nupdates %ld\n\n";
	char *again;
	size_t len;

	if (sscanf(text, form, &c->epochs, &c->updates) != 2)
		return NULL;
	again = xasprintf(form, c->epochs, c->updates);
	len = strlen(again);
	if (strncmp(text, again, len) != 0 || c->epochs < 0 || c->updates < 0)
		len = 0;
	free(again);
	return len == 0 ? NULL : text + len;
}

/* Whether the run comes to this place: each epoch has as many updates, because
   samples that do not fill a call are left out. */
static bool
is_place_of(const struct checkpoint *c, const struct checkpoint_run *r)
{
	const int parts[] = { r->micro_batch, r->gradient_accumulation,
		r->device_iterations, r->replicas };
	long calls = r->samples;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		calls /= parts[i];
	return c->epochs <= EPOCHS_MAX &&
	    c->updates == c->epochs * calls * r->device_iterations;
}

/* Parse the file without its digest, which was correct; a NUL follows it. */
static int
checkpoint_parse(struct checkpoint *c, const struct checkpoint_run *r,
    const char *path, const char *file, size_t size, struct error *e)
{
	const size_t bytes = r->model->parameter_count * sizeof(float);
	size_t len;
	char *text = run_text(r, &len);
	const char *rest = NULL;
	int i, status = -1;

	if (strncmp(file, text, len) != 0)
		(void)refuse_line(path, file, text, e);
	else if ((rest = read_place(c, file + len)) == NULL ||
	    size - (size_t)(rest - file) != (size_t)array_count(r) * bytes)
		(void)error_set(e, "%s is not a valid check-point", path);
	else if (!is_place_of(c, r))
		(void)error_set(e,
		    "%s says epoch %d with %ld updates, which this run never "
		    "has",
		    path, c->epochs, c->updates);
	else
		status = 0;
	for (i = 0; status == 0 && i < array_count(r); i++, rest += bytes)
		memcpy(array(c, i), rest, bytes);
	free(text);
	return status;
}

/* Checks the digest first, so a damaged file is never taken for another
   run's. */
int
checkpoint_load(struct checkpoint *c, const struct checkpoint_run *r,
    const char *path, struct error *e)
{
	const size_t most = TEXT_MAX +
	    (size_t)array_count(r) * MODEL_FLOATS_MAX * sizeof(float);
	uint8_t wanted[SHA256_DIGEST_LENGTH];
	size_t size;
	char *file = file_read(path, most, &size, e);
	int status;

	checkpoint_init(c, r);
	if (file == NULL)
		return -1;
	if (size < sizeof(checkpoint_magic) - 1 ||
	    memcmp(file, checkpoint_magic, sizeof(checkpoint_magic) - 1) != 0) {
		status = error_set(e, "%s is not a check-point", path);
	} else if (size < sizeof(checkpoint_magic) - 1 + sizeof(wanted)) {
		status = error_set(e, "%s is cut off", path);
	} else {
		size -= sizeof(wanted);
		digest(file, size, wanted);
		if (memcmp(file + size, wanted, sizeof(wanted)) != 0) {
			status = error_set(e,
			    "%s is damaged or cut off: its SHA-256 digest does "
			    "not match",
			    path);
		} else {
			file[size] = '\0';
			status = checkpoint_parse(c, r, path, file, size, e);
		}
	}
	free(file);
	return status;
}

void
checkpoint_init(struct checkpoint *c, const struct checkpoint_run *r)
{
	const size_t n = r->model->parameter_count;
	int i;

	memset(c, 0, sizeof(*c));
	c->parameters = xcalloc(n, sizeof(float));
	for (i = 0; i < optimiser_states(&r->optimiser); i++)
		c->state[i] = xcalloc(n, sizeof(float));
}

void
checkpoint_release(struct checkpoint *c)
{
	int i;

	free(c->parameters);
	for (i = 0; i < OPTIMISER_STATES_MAX; i++)
		free(c->state[i]);
	memset(c, 0, sizeof(*c));
}
