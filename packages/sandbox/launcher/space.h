/* Name spaces of one's own: what is the same for every box that is made of them. */
#ifndef BULKHEAD_SPACE_H
#define BULKHEAD_SPACE_H

#include "kernel.h"

/* The caller's own user and group, under their own numbers, and nobody else. First step in a new user name space. */
void map_identity(long user, long group);
/*
 * Every user and group that there is, each under its own number, for `child` in a new user name space. Only the launcher has the
 * right to, and only as root. 0 if it hasn't: then the child maps itself.
 */
int map_everyone(long child);
/*
 * SIGKILL when the launcher dies. `alive` is the reading end of a pipe whose other end only the launcher holds: it
 * closes with its death, also one before the signal was asked for.
 */
void die_with_launcher(int alive);

#endif
