/*
 * The end of what a command left, or of a background command: what it wrote is settled as a transaction of its own, with a journal
 * of its own, in the scratch folder's `held`.
 */
#ifndef BULKHEAD_LATER_H
#define BULKHEAD_LATER_H

#include "overlay.h"

/*
 * Tells the end, then obeys words until one settles it: `list` tells what was changed by now, `commit` keeps what was listed last,
 * `drop` and the channel's end keep nothing. Other words count for nothing. The processes have ended.
 */
void later_settle(struct overlay *overlay, int status);

#endif
