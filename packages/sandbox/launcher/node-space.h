/* The second wall of an agent or worker: name spaces around the box, and a launcher that waits outside. */
#ifndef BULKHEAD_NODE_SPACE_H
#define BULKHEAD_NODE_SPACE_H

#include "options.h"

/*
 * Runs `inside` as first process of new user, mount, process, network, ipc and host name spaces, in a root of
 * granted files, and returns its exit status; a signal that ended it ends the launcher, too. The network has no
 * interface that is up. It dies with the launcher, and with it everything it started.
 */
int launch_in_spaces(const struct options *options, int (*inside)(const struct options *options));

#endif
