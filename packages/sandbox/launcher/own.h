/* Objects that this launcher itself put into the working folder, for a command that goes on: they are no one else's change. */
#ifndef BULKHEAD_OWN_H
#define BULKHEAD_OWN_H

#include "changes.h"

/* To be called after a commit. What somebody has changed since is not taken for ours. 0 or -ENOMEM. */
long own_remember(int work, const struct changes *changes);
/* True if the object is one of those, and as it was put there. */
int own_is(const struct object *object);
/* True if it is one of those, whatever has changed in it since. */
int own_was(const struct object *object);

#endif
