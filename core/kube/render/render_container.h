/*
 * Rendering: one container.  What it runs finds ipubox, and in the variables
 * of the IPU Operator its IPUs.
 */
#ifndef CORE_KUBE_RENDER_RENDER_CONTAINER_H
#define CORE_KUBE_RENDER_RENDER_CONTAINER_H

#include <stdbool.h>

#include "core/kube/render/render_internal.h"

/* The variables of ours, NULL at the end. */
extern const char *const	render_container_variables[];

/* A container of ours at the end of the list: its image, its command, little
   resources, no privileges. */
struct yaml_node	*render_container_new(struct render *,
			    struct yaml_node *list, const char *name,
			    const char *const *command);

/* The container of vipu-server at the end of the list: beside others, which
   begin when it answers, or alone. */
void	render_container_add_server(struct render *, struct yaml_node *list,
	    bool sidecar);

/* Its command becomes that list of words, or stays where this is NULL; either
   way what it runs finds ipubox. */
void	render_container_wrap(struct render *, struct yaml_node *c,
	    const struct yaml_node *words);

/* Mount the tree, read only unless it is to be written, or the state. */
void	render_container_mount_tree(struct render *, struct yaml_node *c,
	    bool read_only);
void	render_container_mount_state(struct render *, struct yaml_node *c);

/* The variables by which a program finds its IPUs, put before those that the
   container has. */
void	render_container_environment(struct render *,
	    const struct render_pod *, struct yaml_node *c);
/* More variables, in place of those that have the same names; NULL: none. */
void	render_container_add(struct render *, struct yaml_node *c,
	    const struct yaml_node *variables);
/* Of each variable of a list whether it stands there again, so that the later
   one counts, to be freed; and the list without those.  NULL is fine. */
bool	*render_container_hidden(const struct yaml_node *environment);
void	render_container_drop_hidden(struct yaml_node *environment);

#endif
