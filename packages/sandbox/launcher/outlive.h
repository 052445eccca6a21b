/* A command that leaves processes: they go on, with the view they have, and what it changed is settled by a copy. */
#ifndef BULKHEAD_OUTLIVE_H
#define BULKHEAD_OUTLIVE_H

#include "kernel.h"

/* What the launcher answers: the left processes go on. Anything else, and its death, ends them. */
#define GO_ON 'g'

/*
 * In init, once the command has ended with `status`. If others remain after a moment, stops them, reports the status on `line`,
 * and has them go on if the answer says so; then waits for their end. Returns when all may end.
 */
void outlive(int line, int status);

#endif
