/*
 * What lies in the working folder of a box, once that is attached. The folders above it may be moved by other
 * commands at any time: so every path in it starts at its own descriptor.
 */
#ifndef BULKHEAD_WORK_H
#define BULKHEAD_WORK_H

#include "mount.h"
#include "options.h"

/* Stands for what is hidden; made by the caller. */
#define EMPTY_FILE "/.empty"

/* Takes over the descriptor of the attached working folder. */
void work_opened(int root);
/* Opens a path in the working folder without touching it; the kernel's answer. */
long work_point(const char *path, const struct options *options, enum links links);
/* Protects and hides what the options name, also in neighbours, and closes the working folder and those. */
void work_shield(const struct options *options);

#endif
