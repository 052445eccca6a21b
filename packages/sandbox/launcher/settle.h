/* The end of a command on an overlay: what it changed is told, and kept or thrown away as the engine says. */
#ifndef BULKHEAD_SETTLE_H
#define BULKHEAD_SETTLE_H

#include "await.h"

/* The control channel; its records are described in docs/containment.md. */
#define CONTROL_DESCRIPTOR 3

/*
 * Tells what was changed, asks, and does what the answer says. Processes that were left go on meanwhile and afterwards; what they
 * write is settled when they have ended (later.h).
 */
void settle(const struct options *options, struct overlay *overlay, struct ended *ended);
/* Puts the changes in place, all or none of them, tells the outcome and tidies up. True if they are in place. */
int settle_commit(const struct changes *changes, const struct places *places);
/* True after a commit that failed and could not be taken back: its journal is there. */
int settle_is_unfinished(int scratch);
/* Tells that nothing, or all there was, is kept, and tidies up. */
void settle_conclude(int scratch, int committed);
/* The same for a scratch folder that a crash left: undoes an unfinished commit, tidies up, prints what became of it. */
int settle_recover(const char *work, const char *scratch);

#endif
