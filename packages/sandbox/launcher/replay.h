/*
 * Changes of the folder for the view of a command that goes on. An overlay shows a file, or its absence, as it was first looked up,
 * and tells watchers nothing of what happens below it. So what changes in the folder is written through the view (replayer.h),
 * except where the command itself wrote: that is settled at its end.
 */
#ifndef BULKHEAD_REPLAY_H
#define BULKHEAD_REPLAY_H

#include "overlay.h"

/*
 * Begins to watch, before the command goes on; its upper layer is the one that hold_copy_upper put aside. `line` leads to the
 * process that writes. What can't be watched or written is told (unseen.h). Of places that the options hide or protect nothing goes
 * to that process.
 */
void replay_begin(const struct options *options, const struct overlay *overlay, int line);
/*
 * The command's own changes, which are about to be committed: a later change of those is another's. They are read in `copy`, for the
 * view may hold what the command has written since; and before the commit, for after it anyone may change them in the folder.
 */
void replay_before_commit(const struct changes *changes, int copy);
/* To wait at; -1 if nothing is to be replayed. */
int replay_descriptor(void);
/* Takes what is told there. */
void replay_read(void);
/* True if something waits to be written; it is once it is quiet, or has waited long. */
int replay_waits(void);
void replay_run(void);
void replay_end(void);

#endif
