/*
 * What the commands of a session share: a user and a network name space, with a loopback of its own. No process lives in it for
 * the sake of that: two descriptors that the engine holds keep it, and nothing inside can reach them.
 */
#ifndef BULKHEAD_SESSION_H
#define BULKHEAD_SESSION_H

#include "options.h"

/*
 * Makes the name spaces, says `ready` on standard output, and stays in them until standard input ends: by then the engine has
 * opened /proc/PID/ns/user and /proc/PID/ns/net of this process. Dies with `parent`.
 */
int session_keep(long parent);
/*
 * Starts a box's first process in the session's name spaces, with the further new ones of `flags`. Returns twice: 0 in the first
 * process, which is a child of the caller, and its number in the caller. `alive` is the end of a pipe that only the launcher may
 * hold. `everyone`: whether the users are mapped, and are more than one.
 */
long session_split(const struct options *options, unsigned long flags, int alive, int *everyone);

#endif
