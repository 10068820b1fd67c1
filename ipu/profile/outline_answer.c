/*
 * Applies both models of the device to an outline and prints the answer as
 * JSON.
 */
#include "ipu/profile/profile.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/formats/json.h"
#include "core/base/text.h"
#include "core/state/sdk/sdk.h"
#include "ipu/engine/engine.h"
#include "ipu/engine/outline/outline_file.h"

enum { OUTLINE_FILE_SIZE_MAX = 32 * 1024 * 1024 };

/* Also in summary.json; in the order of enum trace_kind. */
static const char *const outline_answer_kinds[TRACE_KINDS] = { "forward",
	"recompute", "backward", "update", "collective", "sync", "host_in",
	"host_out", "exchange" };

static void
add_operations(yyjson_mut_doc *doc, yyjson_mut_val *to, const struct outline *o,
    const struct cycles *c, int stage, int ipu)
{
	const struct outline_stage *s = &o->stages[stage];
	yyjson_mut_val *array, *v;
	int i;

	array = yyjson_mut_obj_add_arr(doc, to, "operations");
	for (i = 0; i < s->operation_count; i++) {
		const struct outline_operation *op = &s->operations[i];

		v = yyjson_mut_arr_add_obj(doc, array);
		(void)yyjson_mut_obj_add_str(doc, v, "name", op->name);
		(void)yyjson_mut_obj_add_str(doc, v, "op", op->op);
		(void)yyjson_mut_obj_add_str(doc, v, "class",
		    operation_class_words[op->class]);
		(void)yyjson_mut_obj_add_sint(doc, v, "forward_cycles",
		    (int64_t)ceil(cycles_stage_forward(o, &c->target, ipu,
			op)));
		(void)yyjson_mut_obj_add_sint(doc, v, "backward_cycles",
		    o->config.training ? (int64_t)ceil(cycles_stage_backward(o,
					     &c->target, ipu, op)) :
					 0);
	}
}

static void
answer_stages(yyjson_mut_doc *doc, yyjson_mut_val *to, const struct outline *o,
    const struct cycles *c)
{
	const struct schedule_config sc = engine_config_schedule(&o->config);
	yyjson_mut_val *array, *v, *blocks;
	int s, i;

	array = yyjson_mut_obj_add_arr(doc, to, "stages");
	for (s = 0; s < c->stage_count; s++) {
		const struct cycles_stage *g = &c->stages[s];

		v = yyjson_mut_arr_add_obj(doc, array);
		(void)yyjson_mut_obj_add_int(doc, v, "stage", s);
		(void)yyjson_mut_obj_add_int(doc, v, "ipu",
		    schedule_ipu(&sc, s));
		blocks = yyjson_mut_obj_add_arr(doc, v, "blocks");
		for (i = 0; i < o->stages[s].block_count; i++)
			(void)yyjson_mut_arr_add_str(doc, blocks,
			    o->stages[s].blocks[i]);
		(void)yyjson_mut_obj_add_sint(doc, v, "forward_cycles",
		    g->forward);
		(void)yyjson_mut_obj_add_sint(doc, v, "recompute_cycles",
		    g->recompute);
		(void)yyjson_mut_obj_add_sint(doc, v, "backward_cycles",
		    g->backward);
		(void)yyjson_mut_obj_add_sint(doc, v, "update_cycles",
		    g->update);
		(void)yyjson_mut_obj_add_uint(doc, v, "forward_bytes",
		    g->forward_bytes);
		(void)yyjson_mut_obj_add_uint(doc, v, "backward_bytes",
		    g->backward_bytes);
		(void)yyjson_mut_obj_add_uint(doc, v, "streamed_bytes",
		    g->streamed_bytes);
		add_operations(doc, v, o, c, s, schedule_ipu(&sc, s));
	}
}

/* Add each IPU's cycles by kind, for one device iteration. */
static void
answer_ipus(yyjson_mut_doc *doc, yyjson_mut_val *to, const struct cycles *c)
{
	yyjson_mut_val *array, *v;
	int i, k;

	array = yyjson_mut_obj_add_arr(doc, to, "ipus");
	for (i = 0; i < c->ipu_count; i++) {
		v = yyjson_mut_arr_add_obj(doc, array);
		(void)yyjson_mut_obj_add_int(doc, v, "ipu", i);
		(void)yyjson_mut_obj_add_real(doc, v, "utilisation",
		    cycles_utilisation(c, i));
		for (k = 0; k < TRACE_KINDS; k++)
			(void)yyjson_mut_obj_add_sint(doc, v,
			    outline_answer_kinds[k],
			    cycles_of(c, i, (enum trace_kind)k));
	}
}

static yyjson_mut_val *
cycles_object(yyjson_mut_doc *doc, const struct outline *o,
    const struct cycles *c)
{
	const struct schedule_config sc = engine_config_schedule(&o->config);
	yyjson_mut_val *v = yyjson_mut_obj(doc), *s;
	struct schedule schedule;

	(void)yyjson_mut_obj_add_real(doc, v, "clock_mhz", c->target.clock_mhz);
	(void)yyjson_mut_obj_add_sint(doc, v, "iteration", c->total);
	(void)yyjson_mut_obj_add_sint(doc, v, "update", c->update);
	(void)yyjson_mut_obj_add_sint(doc, v, "call", cycles_call(c));
	(void)yyjson_mut_obj_add_real(doc, v, "call_seconds",
	    (double)cycles_call(c) / (c->target.clock_mhz * 1e6));
	(void)yyjson_mut_obj_add_real(doc, v, "per_sample",
	    (double)c->total /
		((double)o->config.micro_batch * sc.micro_batches));
	(void)yyjson_mut_obj_add_real(doc, v, "utilisation",
	    cycles_utilisation(c, -1));
	s = yyjson_mut_obj_add_obj(doc, v, "schedule");
	if (schedule_init(&schedule, &sc, NULL) == 0) {
		(void)yyjson_mut_obj_add_int(doc, s, "columns",
		    schedule.columns);
		(void)yyjson_mut_obj_add_int(doc, s, "micro_batches",
		    sc.micro_batches);
		(void)yyjson_mut_obj_add_real(doc, s, "utilisation",
		    schedule_view_utilisation(&schedule, -1));
	}
	schedule_release(&schedule);
	answer_stages(doc, v, o, c);
	answer_ipus(doc, v, c);
	return v;
}

/* Add Poplar's error if it does not fit, else null. */
static void
add_fit(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct memory *m,
    const char *page)
{
	struct error fit;
	yyjson_mut_val *v;

	if (memory_report_check(m, page, &fit) == 0) {
		(void)yyjson_mut_obj_add_null(doc, root, "error");
		return;
	}
	v = yyjson_mut_obj_add_obj(doc, root, "error");
	(void)yyjson_mut_obj_add_strcpy(doc, v, "text", fit.text);
}

static void
print_answer(const struct outline *o, const struct memory *m,
    const struct cycles *c, const char *page, FILE *out)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc);

	yyjson_mut_doc_set_root(doc, root);
	(void)yyjson_mut_obj_add_str(doc, root, "version", IPUBOX_VERSION);
	(void)yyjson_mut_obj_add_str(doc, root, "name", o->name);
	(void)yyjson_mut_obj_add_val(doc, root, "memory",
	    memory_report_object(doc, m));
	(void)yyjson_mut_obj_add_val(doc, root, "cycles",
	    cycles_object(doc, o, c));
	(void)(page != NULL ?
		yyjson_mut_obj_add_strcpy(doc, root, "profile", page) :
		yyjson_mut_obj_add_null(doc, root, "profile"));
	add_fit(doc, root, m, page);
	json_print(out, doc);
}

int
outline_answer_print(const struct outline *o, const char *directory, FILE *out,
    struct error *e)
{
	const struct memory_target chip = memory_target(o->ipu_bytes);
	const struct cycles_target clock = cycles_target_of(o->clock_mhz);
	struct memory m;
	struct cycles c;
	char *page = NULL;
	int status = 0;

	memory_init(&m, &o->config, &chip);
	cycles_init(&c, &o->config, &clock);
	if (directory != NULL) {
		status = outline_profile_write(o, &m, &c, directory, e);
		page = xasprintf("%s/%s/report.html", directory, o->name);
	}
	if (status == 0)
		print_answer(o, &m, &c, page, out);
	free(page);
	cycles_release(&c);
	memory_release(&m);
	return status;
}

/* Return the answer to a document, which the caller frees; NULL: refused. */
static char *
answer_document(const char *text, size_t size, const char *directory,
    size_t *answer_size, struct error *e)
{
	struct memstream m;
	struct outline o;
	char *answer;
	int status = outline_file_parse(&o, text, size, e);

	(void)memstream_open(&m);
	if (status == 0)
		status = outline_answer_print(&o, directory, m.file, e);
	outline_release(&o);
	answer = memstream_close(&m, answer_size);
	if (status == 0)
		return answer;
	free(answer);
	return NULL;
}

int
outline_answer_run(int in, const char *directory, FILE *out, struct error *e)
{
	size_t size;
	char *text = stream_read(in, "the document", OUTLINE_FILE_SIZE_MAX,
	    &size, e);
	char *answer = text == NULL ?
	    NULL :
	    answer_document(text, size, directory, &size, e);
	int status = answer == NULL ? -1 : 0;

	if (status == 0)
		(void)fwrite(answer, 1, size, out);
	free(answer);
	free(text);
	return status;
}

/* ---- with a cache ---- */

/* A document, and its answer as computed or read. */
struct cached_answer {
	const char *document;
	size_t size;
	yyjson_doc *answer;
};

static int
take_answer(void *context, const char *content, size_t size, struct error *e)
{
	struct cached_answer *a = context;

	a->answer = yyjson_read(content, size, 0);
	if (yyjson_is_obj(yyjson_doc_get_root(a->answer)))
		return 0;
	yyjson_doc_free(a->answer);
	a->answer = NULL;
	return error_set_code(e, ERROR_DAMAGED,
	    "it does not contain an answer");
}

static char *
make_answer(void *context, size_t *size, struct error *e)
{
	struct cached_answer *a = context;
	char *text = answer_document(a->document, a->size, NULL, size, e);

	if (text == NULL || take_answer(a, text, *size, e) == 0)
		return text;
	free(text);
	return NULL;
}

/* Print the answer and how the cache served it. */
static void
print_cached(yyjson_doc *answer, const char *directory,
    const struct executable_use *use, FILE *out)
{
	yyjson_mut_doc *doc = yyjson_doc_mut_copy(answer, NULL);
	yyjson_mut_val *v = yyjson_mut_obj_add_obj(doc,
	    yyjson_mut_doc_get_root(doc), "executable");
	char *path = xasprintf("%s/%s", directory, use->name);

	(void)yyjson_mut_obj_add_str(doc, v, "path", path);
	(void)yyjson_mut_obj_add_bool(doc, v, "loaded", use->loaded);
	(void)yyjson_mut_obj_add_bool(doc, v, "kept", use->kept);
	(void)(use->trouble.text[0] == '\0' ?
		yyjson_mut_obj_add_null(doc, v, "trouble") :
		yyjson_mut_obj_add_str(doc, v, "trouble", use->trouble.text));
	json_print(out, doc);
	free(path);
}

int
outline_answer_run_cached(int in, const char *directory, FILE *out,
    struct error *e)
{
	const struct executable_cache cache = { directory,
		EXECUTABLE_CACHE_WAIT_MS };
	struct cached_answer a = { .answer = NULL };
	const struct executable_maker maker = { make_answer, take_answer, &a };
	struct executable_key key;
	struct executable_use use;
	char *text = stream_read(in, "the document", OUTLINE_FILE_SIZE_MAX,
	    &a.size, e);
	int status;

	if (text == NULL)
		return -1;
	a.document = text;
	key = executable_cache_key("", "outline", text, a.size);
	status = executable_cache_get(&cache, &key, &maker, &use, e);
	if (status == 0)
		print_cached(a.answer, directory, &use, out);
	yyjson_doc_free(a.answer);
	free(text);
	return status;
}
