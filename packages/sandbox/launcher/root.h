/* The file tree that a shell box sees. */
#ifndef BULKHEAD_ROOT_H
#define BULKHEAD_ROOT_H

#include "options.h"

/*
 * Builds a new root and moves into it; the old one is gone afterwards. To be called in a new mount
 * name space with all rights over it, by the first process of a new process name space.
 */
void root_enter(const struct options *options);

#endif
