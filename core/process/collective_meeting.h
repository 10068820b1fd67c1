/*
 * Meetings, for collective_table.c and collective_entry.c.  A meeting is one
 * operation under way: it ends when all have come, or for all when it fails for
 * one.  One that failed stays until all who can have come to it.
 */
#ifndef CORE_PROCESS_COLLECTIVE_MEETING_H
#define CORE_PROCESS_COLLECTIVE_MEETING_H

#include <bsd/sys/queue.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/memstream.h"
#include "core/process/collective_group.h"
#include "core/process/collective_message.h"
#include "core/process/collective_table.h"

enum {
	COLLECTIVE_MEETING_REGISTER = 0, /* no operation: a communicator */
	COLLECTIVE_MEETING_LISTS = 64
};

/* A member's place in a meeting. */
struct collective_place {
	bool				 has_come;
	const struct collective_guest	*guest;
	struct collective_request	*request; /* NULL: it does not wait */
};

struct collective_meeting {
	TAILQ_ENTRY(collective_meeting)	 link;
	struct collective_group		*group;
	struct collective_members	*members;
	struct collective_members	*set;		/* a registration's */
	int				 operation, type;
	uint32_t			 root;
	uint64_t			 count;
	int				 first;		/* who came first */
	uint32_t			 come, waiting;
	int64_t				 due_ms;	/* 0: no limit */
	uint32_t			 timeout_ms;
	enum collective_code		 code;		/* 0: all is well */
	char				*why;
	char				 communicator[COLLECTIVE_NAME_MAX + 1];
	char				 id[COLLECTIVE_NAME_MAX + 1];
	struct collective_place		 places[];
};

TAILQ_HEAD(collective_meeting_list, collective_meeting);

struct collective_meetings {
	struct collective_meeting_list	 lists[COLLECTIVE_MEETING_LISTS];
	size_t				 open;
	int64_t				 next_ms;	/* no time limit is
							   before; 0: none */
	collective_table_act		*act;
	void				*context;
};

/* No meeting yet. */
void	collective_meeting_init(struct collective_meetings *,
	    collective_table_act *, void *context);
void	collective_meeting_release(struct collective_meetings *);

/*
 * The meeting of these members for a call of the one at that place: the first
 * of that id to which it has not come.  Each but the last has failed.  NULL:
 * a new one has to be made; *twice: it waits in one already.
 */
struct collective_meeting *collective_meeting_find(
		    struct collective_meetings *,
		    const struct collective_members *,
		    const struct collective_call *, int place, bool *twice);
/* A new one, to which nobody has come, of that group's members. */
struct collective_meeting *collective_meeting_new(struct collective_meetings *,
		    struct collective_group *, struct collective_members *,
		    const struct collective_call *,
		    struct collective_members *set);
/* All have come. */
void	collective_meeting_complete(struct collective_meetings *,
	    struct collective_meeting *);
/* It fails, for all who wait and who come later; the text is closed. */
void	collective_meeting_fail(struct collective_meetings *,
	    struct collective_meeting *, enum collective_code,
	    struct memstream *text);
/* One that failed is forgotten where all who still can have come. */
void	collective_meeting_collect(struct collective_meetings *,
	    struct collective_meeting *);
/* One request alone fails; the text is closed. */
void	collective_meeting_refuse(struct collective_meetings *,
	    struct collective_request *, enum collective_code,
	    struct memstream *text);

/* The member is dead, or has retired: who waits for it fails. */
void	collective_meeting_miss(struct collective_meetings *,
	    const struct collective_group *, uint32_t member);
/* The guest has left: what it waits for itself fails. */
void	collective_meeting_leave(struct collective_meetings *,
	    const struct collective_guest *);
/* The guest is lost: its requests are forgotten. */
void	collective_meeting_forget(struct collective_meetings *,
	    const struct collective_guest *);
/* Those whose time limit has passed fail. */
void	collective_meeting_expire(struct collective_meetings *,
	    int64_t now_ms);

/* Begin a sentence, about a call or a meeting: "all-reduce 'grads': ". */
FILE	*collective_meeting_begin(const struct collective_call *,
	    struct memstream *);
FILE	*collective_meeting_begin_text(const struct collective_meeting *,
	    struct memstream *);
/* "'grads': ", and the name of the member at that place. */
void	collective_meeting_put_id(const char *id, const char *communicator,
	    FILE *);
void	collective_meeting_name(const struct collective_meeting *, int place,
	    FILE *);

#endif
