/*
 * The verbs of ipubox-job: each does what its call asks for, and returns the
 * exit status.
 */
#ifndef APPLETS_IPUBOX_JOB_VERBS_H
#define APPLETS_IPUBOX_JOB_VERBS_H

struct job_call;

/* Each is called with a call whose options were read. */
int	verb_create(struct job_call *);
int	verb_apply(struct job_call *);
int	verb_get(struct job_call *);
int	verb_describe(struct job_call *);
int	verb_logs(struct job_call *);
int	verb_exec(struct job_call *);
int	verb_cp(struct job_call *);
int	verb_delete(struct job_call *);
int	verb_wait(struct job_call *);
int	verb_scale(struct job_call *);
int	verb_lint(struct job_call *);
int	verb_render(struct job_call *);
int	verb_explain(struct job_call *);

#endif
