/* Whose turn it is: that of the process that moves folders, or that of init, for which none may be half moved. */
#ifndef BULKHEAD_TURN_H
#define BULKHEAD_TURN_H

#include "kernel.h"

/* Before the process is started. */
void turn_make(void);
/* In that process: waits until init holds nothing up. */
void turn_take(void);
void turn_give(void);
/*
 * In init: waits until no folder is half moved; none begins to move until turn_go_on. A stopped process is continued. Returns
 * `mover`, or 0 if it is gone: its number may be another's then.
 */
long turn_hold(long mover);
void turn_go_on(void);

#endif
