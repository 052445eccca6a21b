/*
 * Objects of the working folder that a command that goes on knows: they were put there for it, or it was shown them by a replay. So
 * they are no one else's change.
 */
#ifndef BULKHEAD_OWN_H
#define BULKHEAD_OWN_H

#include "changes.h"

/* The command that goes on was shown the object as it is now. 0 or -ENOMEM. */
long own_know(const struct object *object);
/* To be called after a commit. What somebody has changed since is not taken for ours. 0 or -ENOMEM. */
long own_remember(int work, const struct changes *changes);
/* True if the object is one of those, and as it was then. */
int own_is(const struct object *object);
/* True if it is one of those, whatever has changed in it since. */
int own_was(const struct object *object);

#endif
