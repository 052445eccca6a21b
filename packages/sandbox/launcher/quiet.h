/*
 * What a command that goes on writes is kept at quiet moments, before its end: when nothing in its upper layer has changed for two
 * seconds, and nobody has a file in there open or mapped for writing. A copy is made then, in the scratch folder's `quiet`,
 * with a journal of its own. If nothing has changed once it is complete, it is one state of the layer, and is settled as the changes
 * of a command; the command goes on meanwhile. Else the next quiet moment is waited for.
 */
#ifndef BULKHEAD_QUIET_H
#define BULKHEAD_QUIET_H

#include "overlay.h"

/* In the scratch folder: that of what was kept at the last quiet moment. */
#define QUIET "quiet"

/* The upper layer is in `held` by now. */
void quiet_begin(const struct overlay *overlay);
/* To be called again and again. Tells `quiet`, once for each state that may be settled. */
void quiet_look(void);
/* Copies the layer, and tells what has changed. False if it is not quiet any more, or can't be copied. */
int quiet_list(struct overlay *overlay);
/* Keeps what was listed, or drops it, and tells the outcome. */
void quiet_settle(struct overlay *overlay, int keep);
void quiet_end(const struct overlay *overlay);

#endif
