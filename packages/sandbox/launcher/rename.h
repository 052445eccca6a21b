/*
 * Renames of folders that were there before, which an overlay refuses. The kernel hands each rename of the command to a process
 * of the box with the command's own walls and rights over files, which carries out what the overlay can't.
 */
#ifndef BULKHEAD_RENAME_H
#define BULKHEAD_RENAME_H

#include "kernel.h"

/*
 * In init, which nobody may trace by now, before it gives up its rights: starts the process, which keeps `kept` of them and reads
 * the memory of the box's processes; it has given up the rest when this returns. It is no child that init would wait for.
 */
void renames_start(uint32_t kept);
/*
 * From now on renames of this process, and of those it starts, are handed over. A kernel that can't do that (before 5.19, or
 * under another filter that listens) refuses to rename such folders as ever.
 */
void renames_hand_over(void);
/*
 * In init: returns when no folder is half moved, and none begins to move until renames_go_on. Others may keep it waiting, until
 * the launcher ends the box. Nothing where renames are not handed over.
 */
void renames_hold(void);
void renames_go_on(void);

#endif
