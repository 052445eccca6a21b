/* The file tree that an agent or worker sees when it has name spaces of its own. */
#ifndef BULKHEAD_NODE_ROOT_H
#define BULKHEAD_NODE_ROOT_H

#include "options.h"

/*
 * Builds a root in which only the granted paths, `program` (NULL: none) and the ELF interpreters of what may be
 * started exist, each at its own path, and moves into it; the old root is gone afterwards. A worker has a /proc
 * with its own box in it, an agent none. The current folder stays the same by name. To be called in a new mount
 * name space with all rights over it, by the first process of a new process name space.
 */
void node_root_enter(const struct options *options, const char *program);

#endif
