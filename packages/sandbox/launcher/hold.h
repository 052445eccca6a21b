/* Who may still write a command's view once the command has ended, and what is judged then. */
#ifndef BULKHEAD_HOLD_H
#define BULKHEAD_HOLD_H

#include "overlay.h"

/* In the scratch folder: a view that outlived its command, and then the scratch folder of what was written there since. */
#define HELD "held"

/* Has `watch` say when the overlay is unmounted. Inside the box's mount name space. */
void hold_watch(int watch, int mounted);
/*
 * After the last process of the box. Waits a moment for the kernel to let go of the overlay. False if a process elsewhere keeps
 * something of it open, by a descriptor that was passed on: it can write there whenever it likes.
 */
int hold_let_go(const struct overlay *overlay);
/*
 * Copies the upper layer as it is now, and puts the copy in its place: what is judged then is what is kept. The original goes on
 * in the scratch folder's `held`. 0 or -errno; `path` is then where it failed.
 */
long hold_copy_upper(struct overlay *overlay, const char **path);

/* The upper layer goes on in `held`, and nothing of it is in its place: all of it is settled at its end. 0 or -errno. */
long hold_set_apart(struct overlay *overlay);

/* Once all that was left has ended: the original's place is the overlay's scratch folder from now on. 0 or -errno. */
long hold_enter(struct overlay *overlay);

/* Undoes that, also one that failed, if nothing of it was used: the original is in its place again. 0 or -errno. */
long hold_take_back(struct overlay *overlay);

#endif
