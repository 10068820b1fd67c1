/*
 * The memory plans of a run in an executable cache: the key, writing and
 * reading an entry, and the cache's two callbacks.  Read memory_cache_plan()
 * first.
 */
#include "ipu/engine/model/trial.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "ipu/engine/model/memory_layout.h"

/*
 * An entry is text with a line for each IPU's off-chip bytes and each tensor:
 *
 *	training
 *	streaming 0 721408
 *	0 weights 1 1000 B1/conv2d/weights
 *	...
 *	inference
 *	...
 *
 * that is "streaming IPU BYTES" and "IPU KIND COPIES BYTES NAME", with the
 * bytes of one copy.  Tiles are not written, because they follow from the
 * tensors (memory_layout.c): so the text cannot contradict itself.
 */

/* Limits for one engine.  2^16 tensors of 2^44 bytes are 2^60 in all, so sums
   do not overflow. */
enum { TENSORS_MAX = 1 << 16, COPIES_MAX = 1 << 24 };
#define TENSOR_BYTES_MAX ((long long)1 << 44) /* all copies of a tensor */

static const char *const memory_cache_engines[] = { "inference", "training" };

static const struct engine_config *
memory_cache_config(const struct memory_plan *p, int training)
{
	return training ? p->training : p->inference;
}

static struct memory *
memory_cache_memory(const struct memory_plan *p, int training)
{
	return training ? p->training_memory : p->inference_memory;
}

/* ---- the key ---- */

static void
memory_cache_print_model(const struct model *m, FILE *f)
{
	const struct layer_spec *s;
	int b, i;

	fprintf(f, "input %d %d %d\n", m->in.channels, m->in.height,
	    m->in.width);
	for (b = 0; b < m->block_count; b++) {
		fprintf(f, "block %s\n", m->blocks[b].name);
		for (i = 0; i < m->blocks[b].layer_count; i++) {
			s = &m->layers[m->blocks[b].first_layer + i].spec;
			fprintf(f, "%s %d %d %d %d %d",
			    model_kind_name(s->kind), s->out, s->kernel,
			    s->stride, s->padding, s->no_bias);
			model_layer_print(s, f);
			fputc('\n', f);
		}
	}
}

/* Print what decides an engine's memory.  Which replicas run here is left out:
   every replica of a job has the same memory. */
static void
print_engine(const struct engine_config *c, FILE *f)
{
	int s;

	fprintf(f,
	    "%s strategy %d recompute %d output %d %d batch %d accumulation %d "
	    "iterations %d replicas %d optimiser %d states %d offload %d\n",
	    memory_cache_engines[c->training], c->strategy, c->recompute,
	    c->output_mode, c->output_return_period, c->micro_batch,
	    c->gradient_accumulation, c->device_iterations, c->total_replicas,
	    c->optimiser.kind, optimiser_states(&c->optimiser),
	    c->offload_optimiser);
	for (s = 0; s < c->stages; s++)
		fprintf(f, "stage %d %d\n", c->stage_blocks[s],
		    c->stage_ipu[s]);
}

char *
memory_cache_key_text(const struct memory_plan *p, size_t *size)
{
	struct memstream m;
	FILE *f = memstream_open(&m);

	fprintf(f, "tiles %d %zu\n", p->target.tiles, p->target.tile_bytes);
	memory_cache_print_model(p->training->model, f);
	print_engine(p->training, f);
	print_engine(p->inference, f);
	return memstream_close(&m, size);
}

/* ---- writing ---- */

static void
write_memory(const struct memory *m, FILE *f)
{
	const struct memory_tensor *t;
	int i;

	assert(m->notes.count == 0); /* only memory_outline.c makes notes */
	fprintf(f, "%s\n", memory_cache_engines[m->training]);
	for (i = 0; i < m->ipu_count; i++)
		if (m->ipus[i].streaming > 0)
			fprintf(f, "streaming %d %zu\n", i,
			    m->ipus[i].streaming);
	for (i = 0; i < m->tensor_count; i++) {
		t = &m->tensors[i];
		fprintf(f, "%d %s %d %zu %s\n", t->ipu,
		    memory_kind_name(t->kind), t->copies,
		    t->bytes / (size_t)t->copies, t->name);
	}
}

char *
memory_cache_write(const struct memory_plan *p, size_t *size)
{
	struct memstream m;
	FILE *f = memstream_open(&m);

	write_memory(p->training_memory, f);
	write_memory(p->inference_memory, f);
	return memstream_close(&m, size);
}

/* ---- reading ---- */

/* Cut off and return the next word.  NULL: it is empty, or no space ends it. */
static char *
cut_word(char **line)
{
	char *word = *line, *end = strchr(word, ' ');

	if (end == NULL || end == word)
		return NULL;
	*end = '\0';
	*line = end + 1;
	return word;
}

/* Cut off the next word, a number from `least` to `most`. */
static bool
cut_count(char **line, long long least, long long most, long long *n)
{
	const char *word = cut_word(line);

	return word != NULL &&
	    parse_number("", word, least, most, n, NULL) == 0;
}

static int
kind_of(const char *word)
{
	int k = 0;

	while (word != NULL && k < MEMORY_KINDS &&
	    strcmp(word, memory_kind_name((enum memory_kind)k)) != 0)
		k++;
	return word == NULL ? MEMORY_KINDS : k;
}

/* Return true if the name has control characters, which would reach a
   terminal. */
static bool
has_controls(const char *name)
{
	for (; *name != '\0'; name++)
		if ((unsigned char)*name < ' ' || *name == 0x7f)
			return true;
	return false;
}

/* Read "IPU KIND COPIES BYTES NAME".  IPUs must come in ascending order. */
static bool
read_tensor(struct memory_layout *l, char *line)
{
	struct memory *m = l->m;
	long long ipu, copies, bytes;
	int kind;

	if (m->tensor_count == TENSORS_MAX ||
	    !cut_count(&line, 0, m->ipu_count - 1, &ipu) ||
	    (kind = kind_of(cut_word(&line))) == MEMORY_KINDS ||
	    !cut_count(&line, 1, COPIES_MAX, &copies) ||
	    !cut_count(&line, 1, TENSOR_BYTES_MAX / copies, &bytes) ||
	    (m->tensor_count > 0 &&
		ipu < m->tensors[m->tensor_count - 1].ipu) ||
	    *line == '\0' || strlen(line) >= sizeof(m->tensors->name) ||
	    has_controls(line))
		return false;
	memory_layout_add(l, (int)ipu, (enum memory_kind)kind, (int)copies,
	    (size_t)bytes, "%s", line);
	return true;
}

/* Read "streaming IPU BYTES" or a tensor. */
static bool
read_memory_line(struct memory_layout *l, char *line)
{
	static const char streaming[] = "streaming ";
	long long ipu, bytes;

	if (strncmp(line, streaming, sizeof(streaming) - 1) != 0)
		return read_tensor(l, line);
	line += sizeof(streaming) - 1;
	if (!cut_count(&line, 0, l->m->ipu_count - 1, &ipu) ||
	    parse_number("", line, 1, TENSOR_BYTES_MAX, &bytes, NULL) != 0)
		return false;
	l->m->ipus[ipu].streaming = (size_t)bytes;
	return true;
}

/* Cut off and return the next line.  NULL: no line break is left. */
static char *
cut_line(char **rest)
{
	char *line = *rest, *end = strchr(line, '\n');

	if (end == NULL)
		return NULL;
	*end = '\0';
	*rest = end + 1;
	return line;
}

/* Read one engine's lines up to the line `until`, or to the end if that is
   NULL.  After a refusal too, the caller releases the memory. */
static bool
read_memory(const struct memory_plan *p, int training, char **rest,
    const char *until)
{
	struct memory_layout l;
	char *line;
	bool good = true;

	memory_layout_begin(&l, memory_cache_memory(p, training),
	    memory_cache_config(p, training), &p->target);
	while (good && (line = cut_line(rest)) != NULL &&
	    (until == NULL || strcmp(line, until) != 0))
		good = read_memory_line(&l, line);
	memory_layout_end(&l);
	return good && l.m->tensor_count > 0 &&
	    (until == NULL ? **rest == '\0' : line != NULL);
}

int
memory_cache_read(const struct memory_plan *p, const char *text, size_t size,
    struct error *e)
{
	char *copy = xmalloc(size + 1), *rest = copy, *line;
	bool good;

	memcpy(copy, text, size);
	copy[size] = '\0';
	*p->training_memory = *p->inference_memory = (struct memory){ 0 };
	line = cut_line(&rest);
	good = memchr(text, '\0', size) == NULL && line != NULL &&
	    strcmp(line, memory_cache_engines[1]) == 0 &&
	    read_memory(p, 1, &rest, memory_cache_engines[0]) &&
	    read_memory(p, 0, &rest, NULL);
	free(copy);
	if (good)
		return 0;
	memory_release(p->training_memory);
	memory_release(p->inference_memory);
	return error_set_code(e, ERROR_DAMAGED,
	    "it does not contain the memory plan of this model");
}

/* ---- callbacks of the cache ---- */

static void
plan_uncached(const struct memory_plan *p)
{
	memory_init(p->training_memory, p->training, &p->target);
	memory_init(p->inference_memory, p->inference, &p->target);
}

static char *
memory_cache_make(void *context, size_t *size, struct error *e)
{
	(void)e; /* cannot fail */
	plan_uncached(context);
	return memory_cache_write(context, size);
}

static int
memory_cache_take(void *context, const char *content, size_t size,
    struct error *e)
{
	return memory_cache_read(context, content, size, e);
}

void
memory_cache_plan(const struct memory_plan *plan,
    const struct executable_cache *cache, struct executable_use *use)
{
	struct memory_plan p = *plan;
	const struct executable_maker maker = { memory_cache_make,
		memory_cache_take, &p };
	struct executable_key key;
	char *text;
	size_t size;

	*use = (struct executable_use){ .loaded = false };
	if (cache == NULL) {
		plan_uncached(&p);
		return;
	}
	text = memory_cache_key_text(&p, &size);
	key = executable_cache_key("", "memory", text, size);
	free(text);
	(void)executable_cache_get(cache, &key, &maker, use, NULL);
}
