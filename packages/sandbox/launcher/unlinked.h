/*
 * Paths that lead where their names say. What a box may change is opened this way: whoever can write a folder
 * on the way could put a link in its place between the caller's check and the launch.
 */
#ifndef BULKHEAD_UNLINKED_H
#define BULKHEAD_UNLINKED_H

#include "kernel.h"

/*
 * Opens the absolute `path` without access to its contents (O_PATH), close-on-exec. A symbolic link anywhere
 * in it is -ELOOP, also at the end. The kernel's answer.
 */
long open_unlinked(const char *path);
/* The same for a path below the open `folder`, whoever moves the folders above it. An empty one is the folder itself. */
long open_unlinked_below(int folder, const char *path);

#endif
