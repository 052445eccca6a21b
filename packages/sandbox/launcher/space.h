/* Name spaces of one's own: what is the same for every box that is made of them. */
#ifndef BULKHEAD_SPACE_H
#define BULKHEAD_SPACE_H

#include "kernel.h"

/* The caller's own user and group, under their own numbers, and nobody else. First step in a new user name space. */
void map_identity(long user, long group);
/*
 * Every user and group that the caller's name space has, each under its own number, for `child` in a new one below it. Only its
 * launcher has the right to. How many users that are; negative if it hasn't the right: then the child maps itself.
 */
long map_everyone(long child);
/* A descriptor of the caller's own entry in the machine's /proc, by which its maps can be written from elsewhere. */
int own_entry(void);
/*
 * Moves the caller into a new user name space, with the other new ones of `flags`, that has all users of the present one.
 * `entry` is own_entry() of the caller. False if the caller may not map them: then the new one has no users yet.
 */
int enter_inner_spaces(unsigned long flags, int entry);
/* The loopback of a new network name space answers from now on. */
void raise_loopback(void);
/*
 * SIGKILL when the launcher dies. `alive` is the reading end of a pipe whose other end only the launcher holds: it
 * closes with its death, also one before the signal was asked for.
 */
void die_with_launcher(int alive);

#endif
