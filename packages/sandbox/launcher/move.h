/*
 * Renames a folder that an overlay can't rename, because it lies in its lower layer (EXDEV): a new folder is made, all that lies
 * in the old one moves there name by name, and the old one goes. The kernel moves each file, with all it has.
 */
#ifndef BULKHEAD_MOVE_H
#define BULKHEAD_MOVE_H

#include "kernel.h"

/*
 * `from` and `to` hold the names. `flags` are 0 or NOREPLACE, as for renameat2. The kernel's answer, or -EXDEV where that can't be
 * done either: another mount in it, or rights that are missing. Then all is as it was.
 */
long move_folder(int from, const char *name, int to, const char *as, unsigned flags);

#endif
