/*
 * Stages from lists of blocks, by PopTorch's rules and in its words.
 *
 * Adjacent stages on one IPU are merged, as in PopTorch: a stage begins where
 * the IPU changes.  A pipeline counts the merged stages.
 */
#include "ipu/engine/stages.h"

#include <bsd/stdlib.h>
#include <bsd/string.h>
#include <string.h>

void
stages_init(struct stages *s, const struct model *m)
{
	int i;

	*s = (struct stages){ .model = m };
	for (i = 0; i < MODEL_BLOCKS_MAX; i++)
		s->stage_of[i] = -1;
}

/* A stage without a given IPU is on the IPU of its number. */
int
stages_begin(struct stages *s, int ipu, struct error *e)
{
	if (s->count == SCHEDULE_STAGES_MAX)
		return error_set(e, "more than %d stages", SCHEDULE_STAGES_MAX);
	s->blocks[s->count] = 0;
	s->ipu[s->count] = ipu == -1 ? s->count : ipu;
	s->count++;
	return 0;
}

/* Append Python's repr() of a list of names. */
static void
append_names(const struct model *m, const int *blocks, int count,
    struct error *e)
{
	int i;

	(void)error_append(e, "[");
	for (i = 0; i < count; i++)
		(void)error_append(e, "%s'%s'", i > 0 ? ", " : "",
		    m->blocks[blocks == NULL ? i : blocks[i]].name);
	(void)error_append(e, "]");
}

/* Set PopTorch's error; the list is all blocks (NULL) or the given ones. */
static int
unknown_block(const struct model *m, const char *name, const int *blocks,
    int count, struct error *e)
{
	(void)error_set(e,
	    "Unknown Block '%s' list of expected Blocks: ", name);
	append_names(m, blocks, count, e);
	return -1;
}

int
stages_add(struct stages *s, const char *name, struct error *e)
{
	const struct model *m = s->model;
	int i;

	for (i = 0; i < m->block_count; i++)
		if (strcmp(m->blocks[i].name, name) == 0)
			break;
	if (i == m->block_count)
		return unknown_block(m, name, NULL, m->block_count, e);
	if (s->stage_of[i] != -1)
		return error_set(e, "%s associated with more than one stage",
		    name);
	s->stage_of[i] = s->count - 1;
	s->listed[s->listed_count++] = i;
	s->blocks[s->count - 1]++;
	return 0;
}

/* Merge adjacent stages of one IPU. */
static void
merge(struct stages *s)
{
	int i, last = 0;

	for (i = 1; i < s->count; i++) {
		if (s->ipu[i] == s->ipu[last]) {
			s->blocks[last] += s->blocks[i];
		} else {
			last++;
			s->blocks[last] = s->blocks[i];
			s->ipu[last] = s->ipu[i];
		}
	}
	s->count = last + 1;
}

int
stages_check(const struct model *m, int count, const int *blocks,
    struct error *e)
{
	const struct block *b = m->blocks;
	int i, n, layers;

	for (i = 0; i < count; i++) {
		const int first = b->first_layer;

		for (layers = 0, n = blocks[i]; n > 0; n--, b++)
			layers += b->layer_count;
		if (stage_plan_check(m, first, layers, e) != 0)
			return error_prefix(e, "stage %d", i);
	}
	return 0;
}

/*
 * Refuses stages that are not in the blocks' order: a pipeline passes through
 * the model once.
 *
 *	B1 B2 | B3 B4	stages 0 0 1 1: taken
 *	B1 B3 | B2 B4	stages 0 1 0 1: refused, B3's comes before B2's
 */
int
stages_end(struct stages *s, struct error *e)
{
	const struct model *m = s->model;
	int i;

	for (i = 0; i < m->block_count; i++)
		if (s->stage_of[i] == -1)
			return unknown_block(m, m->blocks[i].name, s->listed,
			    s->listed_count, e);
	for (i = 0; i < s->count; i++)
		if (s->blocks[i] == 0)
			return error_set(e, "stage %d has no block", i);
	for (i = 1; i < m->block_count; i++)
		if (s->stage_of[i] < s->stage_of[i - 1])
			return error_set(e,
			    "block %s follows %s in the model, but its stage "
			    "comes before that one's; list the stages in the "
			    "model's order",
			    m->blocks[i].name, m->blocks[i - 1].name);
	merge(s);
	return 0;
}

/* Parse one stage: "B1,B2" or "B1,B2@0". */
static int
parse_stage(struct stages *s, const char *text, size_t length, struct error *e)
{
	const char *at = memchr(text, '@', length), *why = NULL, *end;
	char name[BLOCK_NAME_SIZE + 1], number[16];
	int ipu = -1;
	size_t n;

	if (at != NULL) {
		(void)strlcpy(number, at + 1, sizeof(number));
		n = length - (size_t)(at + 1 - text);
		if (n < sizeof(number))
			number[n] = '\0';
		ipu = (int)strtonum(number, 0, SCHEDULE_IPUS_MAX - 1, &why);
		if (why != NULL)
			return error_set(e,
			    "IPU '%s' of a stage is %s; it must be a number "
			    "from 0 to %d",
			    number, why, SCHEDULE_IPUS_MAX - 1);
		length = (size_t)(at - text);
	}
	if (stages_begin(s, ipu, e) != 0)
		return -1;
	for (;;) {
		if ((end = memchr(text, ',', length)) == NULL)
			end = text + length;
		n = (size_t)(end - text);
		/* A longer name is cut to a length that no block has. */
		(void)strlcpy(name, text,
		    n < sizeof(name) ? n + 1 : sizeof(name));
		if (stages_add(s, name, e) != 0)
			return -1;
		if (n == length)
			return 0;
		text = end + 1;
		length -= n + 1;
	}
}

int
stages_parse(struct stages *s, const struct model *m, const char *list,
    struct error *e)
{
	size_t n;

	stages_init(s, m);
	for (;;) {
		n = strcspn(list, "/");
		if (parse_stage(s, list, n, e) != 0)
			return -1;
		if (list[n] == '\0')
			return stages_end(s, e);
		list += n + 1;
	}
}

/* Each block begins a stage; stages_end() merges those that share an IPU. */
int
stages_auto(struct stages *s, const struct model *m, enum auto_stage a,
    struct error *e)
{
	int i, ipu = -1;

	stages_init(s, m);
	for (i = 0; i < m->block_count; i++) {
		if (a == AUTO_STAGE_AUTO_INCREMENT)
			ipu = i;
		else if (m->blocks[i].ipu != -1)
			ipu = m->blocks[i].ipu;
		if (ipu == -1)
			return error_set(e,
			    "poptorch.AutoStage.SameAsIpu was selected but no "
			    "IPU was specified for block %s",
			    m->blocks[i].name);
		if (stages_begin(s, ipu, e) != 0 ||
		    stages_add(s, m->blocks[i].name, e) != 0)
			return -1;
	}
	return stages_end(s, e);
}

/* PopTorch attaches to a power of two: 3 IPUs become 4, or are refused. */
int
stages_reserve(int used, bool auto_round, int *ipus, struct error *e)
{
	int rounded = 1;

	while (rounded < used)
		rounded *= 2;
	if (rounded > SCHEDULE_IPUS_MAX)
		return error_set(e,
		    "Too many IPUs requested (%d). Experiments that need more "
		    "than %d IPUs require distributed execution.",
		    rounded, SCHEDULE_IPUS_MAX);
	if (rounded != used && !auto_round)
		return error_set(e,
		    "The model specifies the use of %d IPUs, however PopTorch "
		    "must reserve a minimum of %d in order to allow the model "
		    "to run, because PopTorch must reserve a power of 2 or "
		    "maximum of %d IPUs per process. Please reconfigure your "
		    "model to use a different number of IPUs or set "
		    "poptorch.Options().autoRoundNumIPUs(True). (Here: "
		    "--auto-round.)",
		    used, rounded, SCHEDULE_IPUS_MAX);
	*ipus = rounded;
	return 0;
}

/* The highest IPU decides, even if a lower one has no stage. */
int
stages_ipus(const struct stages *s, bool auto_round, int *ipus, struct error *e)
{
	int i, used = 0;

	for (i = 0; i < s->count; i++)
		if (s->ipu[i] >= used)
			used = s->ipu[i] + 1;
	return stages_reserve(used, auto_round, ipus, e);
}
