/* The file tree that a box sees. */
#ifndef BULKHEAD_ROOT_H
#define BULKHEAD_ROOT_H

#include "overlay.h"

/*
 * Builds the new root of a shell box and moves into it; the old one is gone afterwards. To be called in a new mount
 * name space with all rights over it, by the first process of a new process name space.
 * The working folder is shown through `overlay`, or as it is if that is NULL.
 */
void root_enter(const struct options *options, const struct overlay *overlay);

/*
 * The part of it that every box shares: an empty file system becomes the root, the old one is gone. `processes`: options
 * of a /proc in it, NULL for none.
 */
void root_change(const char *processes);

#endif
