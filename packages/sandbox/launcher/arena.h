/* Memory that is given out in pieces and never given back: the process ends with the one job it has. */
#ifndef BULKHEAD_ARENA_H
#define BULKHEAD_ARENA_H

#include "kernel.h"

/* Zeroed memory of `size` bytes, aligned for anything; NULL if there is none left. */
void *arena_take(size_t size);

#endif
