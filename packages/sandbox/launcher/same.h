/* Do two layers hold the same at one name? */
#ifndef BULKHEAD_SAME_H
#define BULKHEAD_SAME_H

#include "object.h"

/* Of two regular files of `size` bytes. Unreadable is not the same. */
int same_content(int upper, int work, const char *name, uint64_t size);
int same_link(int upper, int work, const char *name);

#endif
