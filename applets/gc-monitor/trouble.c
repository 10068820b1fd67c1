/*
 * How a partition, its machines and its IPUs fare (condition.c), as the
 * words of a title and as sentences.
 */
#include "applets/gc-monitor/section.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/device/device.h"

static void
trouble_word(struct trouble *t, const char *word)
{
	if (t->state[0] != '\0')
		(void)strlcat(t->state, ", ", sizeof(t->state));
	(void)strlcat(t->state, word, sizeof(t->state));
}

static struct tables_note *
trouble_note(struct trouble *t, enum terminal_tone tone)
{
	struct tables_note	*note = &t->notes[t->count++];

	note->tone = tone;
	return note;
}

/* The partition's state, which a machine that is down would hide. */
static void
find_of_partition(struct trouble *t, const struct section *s,
    const struct here *h)
{
	const struct partition	*p = s->partition;
	struct condition	 c;

	condition_of_partition(&c, p, h->pod, h->now_ns / 1000000);
	if (c.kind == CONDITION_GOOD)
		return;
	if (c.kind == CONDITION_MACHINE && p->state != PS_ACTIVE) {
		trouble_word(t, partition_state_name(p->state));
		(void)snprintf(trouble_note(t, TONE_BAD)->text,
		    sizeof(t->notes->text), "partition %s is in state %s",
		    p->name, partition_state_name(p->state));
	}
	trouble_word(t, c.word);
	t->tone = c.tone;
	if (c.kind == CONDITION_PARTITION)
		(void)strlcpy(trouble_note(t, t->tone)->text, c.text,
		    sizeof(t->notes->text));
}

/* What is to be said of that IPU beside the state of its partition. */
static const char *
say_ipu(char *text, size_t size, enum terminal_tone *tone,
    const struct section *s, const struct here *h, int index)
{
	struct condition	c;

	condition_of_ipu(&c, &s->ipus[index], s->partition, h->pod,
	    h->now_ns / 1000000);
	*tone = c.tone;
	if (c.kind == CONDITION_PARTITION && c.soc_errors != 0)
		(void)snprintf(text, size, "SoC error%s %s",
		    (c.soc_errors & (c.soc_errors - 1)) == 0 ? "" : "s",
		    c.error_state);
	else if (c.kind == CONDITION_ERROR || c.kind == CONDITION_MACHINE)
		(void)strlcpy(text, c.text, size);
	else
		text[0] = '\0';
	return text;
}

static void
find_of_ipus(struct trouble *t, const struct section *s, const struct here *h)
{
	char			text[CONDITION_TEXT_SIZE];
	char			next[CONDITION_TEXT_SIZE];
	enum terminal_tone	tone, ignored;
	int			i, end;

	for (i = 0; i < s->count; i = end) {
		(void)say_ipu(text, sizeof(text), &tone, s, h, i);
		end = i + 1;
		while (end < s->count && strcmp(text, say_ipu(next,
		    sizeof(next), &ignored, s, h, end)) == 0)
			end++;
		if (text[0] == '\0')
			continue;
		if (end == i + 1)
			(void)snprintf(trouble_note(t, tone)->text,
			    sizeof(t->notes->text), "IPU %d: %s",
			    s->first_id + i, text);
		else
			(void)snprintf(trouble_note(t, tone)->text,
			    sizeof(t->notes->text), "IPUs %d to %d: %s",
			    s->first_id + i, s->first_id + end - 1, text);
	}
}

void
trouble_find(struct trouble *t, const struct section *s, const struct here *h,
    bool active)
{
	memset(t, 0, sizeof(*t));
	t->tone = TONE_PLAIN;
	t->notes = xcalloc((size_t)s->count + 2, sizeof(*t->notes));
	if (active)
		trouble_word(t, "active");
	find_of_partition(t, s, h);
	find_of_ipus(t, s, h);
}

void
trouble_release(struct trouble *t)
{
	free(t->notes);
}
