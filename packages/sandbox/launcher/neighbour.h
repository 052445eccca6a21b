/*
 * Folders of the user outside the working folder that a shell box shows read-only; one may lie around the working
 * folder. Each is an overlay without an upper layer: what covers a place in it stays there, also when a program
 * outside replaces that place. So every hidden place in one has to be there when the box is made.
 */
#ifndef BULKHEAD_NEIGHBOUR_H
#define BULKHEAD_NEIGHBOUR_H

#include "mount.h"
#include "options.h"

/* Before anything is attached: mounts a neighbour, detached. Fails if it is another folder, or a hidden place moved. */
int neighbour_mount(const struct named_path *neighbour, const struct options *options);
/* Keeps the descriptor of an attached one. */
void neighbour_opened(const char *path, int root);
/* True if `path` lies in an attached one, or is one. */
int neighbour_around(const char *path);
/* Opens such a path below its descriptor; the kernel's answer. */
long neighbour_point(const char *path, enum links links);
/* Closes all. */
void neighbours_close(void);

#endif
