/* The overlay's own marks on objects of its upper layer. */
#ifndef BULKHEAD_ATTRIBUTES_H
#define BULKHEAD_ATTRIBUTES_H

#include "object.h"

/* True if the folder hides whatever the lower layer has at its name. */
int attributes_opaque(int folder, const char *name);
/* True if the object was copied up from the lower layer (and not made inside). */
int attributes_copied(int folder, const char *name);
/* True if the file stands for an absent one. Kernels read such marks; none of ours makes them. */
int attributes_whiteout(int folder, const char *name);
/*
 * The same marks, made by us on objects that are moved into an upper layer: as copied up from the lower one, as hiding it.
 * 0 or -errno. A link takes none.
 */
long attributes_mark_copied(int folder, const char *name, const struct object *object);
long attributes_mark_opaque(int folder, const char *name, const struct object *object);
/* Makes a file that stands for an absent one; -EEXIST if something has the name. */
long attributes_make_whiteout(int folder, const char *name);
/* Gives the object `to` the attributes that `from` has and a user may set, access lists included. 0 or the first -errno. */
long attributes_copy(int from, int to);
/* The same with the overlay's own marks: `to` then stands in an upper layer for `from`. */
long attributes_copy_layer(int from, int to);
/* Takes all marks of the overlay off an object; 0 or -errno. */
long attributes_strip(int folder, const char *name);

#endif
