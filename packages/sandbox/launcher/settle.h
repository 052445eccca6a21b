/* The end of a command on an overlay: what it changed is told, and kept or thrown away as the engine says. */
#ifndef BULKHEAD_SETTLE_H
#define BULKHEAD_SETTLE_H

#include "overlay.h"

/* The control channel; its records are described in docs/containment.md. */
#define CONTROL_DESCRIPTOR 3

/*
 * Waits for the box's init, watching the control channel (a word or its end stops the command) and the free space.
 * Its exit status, 128 + n for a signal.
 */
int settle_wait(const struct options *options, const struct overlay *overlay, long init);
/* Tells what was changed, asks, and does what the answer says. */
void settle(struct overlay *overlay, int status);
/* The same for a scratch folder that a crash left: undoes an unfinished commit, tidies up, prints what became of it. */
int settle_recover(const char *work, const char *scratch);

#endif
