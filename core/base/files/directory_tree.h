/*
 * Directories with all that is below them.
 */
#ifndef CORE_BASE_FILES_DIRECTORY_TREE_H
#define CORE_BASE_FILES_DIRECTORY_TREE_H

/*
 * Remove the directory `name` in the open one with everything in it, whatever
 * its mode, and no symbolic link followed; what belongs to others stays, with
 * the directories above it.  0 also where there is none; else something stayed,
 * and the system's number says why.
 */
int	directory_tree_remove(int above, const char *name);

/* The same of what is in an open directory, which stays itself. */
int	directory_tree_empty(int fd);

#endif
