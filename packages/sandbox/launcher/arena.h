/* Memory that is given out in pieces. It is kept to the end of the process, but for the passing one, which is given back as a whole. */
#ifndef BULKHEAD_ARENA_H
#define BULKHEAD_ARENA_H

#include "kernel.h"

/* Zeroed memory of `size` bytes, aligned for anything; NULL if there is none left. */
void *arena_take(size_t size);

/* What is taken from now on is passing, or lasts again. Nothing that lasts may point to what passes. */
void arena_pass(void);
void arena_last(void);
/* Whatever was passing is gone. */
void arena_give_back(void);

#endif
