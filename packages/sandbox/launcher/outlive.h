/*
 * A command that leaves processes: they go on, with the view they have, and what it changed is settled by a copy. Or one that goes
 * on itself after its call: nothing of it is settled before its end.
 */
#ifndef BULKHEAD_OUTLIVE_H
#define BULKHEAD_OUTLIVE_H

#include "kernel.h"

/* What the launcher answers: the left processes go on. Anything else, and its death, ends them. */
#define GO_ON 'g'
/* Later, once: they are asked to end, and killed a moment later. */
#define END_SOON 'e'
/* While the command runs: it goes on as one in the background. Init answers HANDED_OVER, which is no exit status. */
#define HAND_OVER 'h'
#define HANDED_OVER (-1)

/*
 * In init: waits for the end of the command, and gives its exit status. Less, once the launcher has it go on after its call, which
 * is answered: then `outlive_end` waits for it.
 */
int outlive_await(int line, long command);
/*
 * In init, once the command has ended with `status`. If others remain after a moment, stops them, reports the status on `line`,
 * and has them go on if the answer says so; then waits for their end. Returns when all may end.
 */
void outlive(int line, int status);

/* Before a background command starts, in init: reports it as left. False if it must not go on. */
int outlive_begin(int line);
/* Once it has started: waits for its end and that of all others. The command's exit status. */
int outlive_end(int line, long command);

#endif
