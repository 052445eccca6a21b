/* The file tree that a shell box sees. */
#ifndef BULKHEAD_ROOT_H
#define BULKHEAD_ROOT_H

#include "overlay.h"

/*
 * Builds a new root and moves into it; the old one is gone afterwards. To be called in a new mount
 * name space with all rights over it, by the first process of a new process name space.
 * The working folder is shown through `overlay`, or as it is if that is NULL.
 */
void root_enter(const struct options *options, const struct overlay *overlay);

#endif
