/* The overlay's own marks on objects of its upper layer. */
#ifndef BULKHEAD_ATTRIBUTES_H
#define BULKHEAD_ATTRIBUTES_H

#include "kernel.h"

/* True if the folder hides whatever the lower layer has at its name. */
int attributes_opaque(int folder, const char *name);
/* True if the object was copied up from the lower layer (and not made inside). */
int attributes_copied(int folder, const char *name);
/* True if the file stands for an absent one. Kernels read such marks; none of ours makes them. */
int attributes_whiteout(int folder, const char *name);
/* Takes all marks of the overlay off an object; 0 or -errno. */
long attributes_strip(int folder, const char *name);

#endif
