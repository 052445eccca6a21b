/*
 * Which hidden files of the working folder a command opened. Each gets an empty file of its own in the box, and that is watched: nothing
 * else in the box has its number. Where the kernel watches no more, nothing is told of the rest.
 */
#ifndef BULKHEAD_OPENED_H
#define BULKHEAD_OPENED_H

#include "options.h"

/* By the launcher, before there is a box. */
void opened_begin(void);
/*
 * By init, in the new root, for each hidden path of the working folder in the order of the options, missing ones too: the file to be
 * mounted there. NULL if it has none of its own. Valid until the next call.
 */
const char *opened_mask(void);
/* By init, before anything runs in the box: what runs there has no part in this. */
void opened_ready(void);
/* By the launcher, once the command has ended. */
void opened_tell(const struct options *options);

#endif
