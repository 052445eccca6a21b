/* What keeps a commit from displacing an object of the working folder. */
#ifndef BULKHEAD_OBSTACLE_H
#define BULKHEAD_OBSTACLE_H

#include "object.h"

/*
 * NULL if the object is as it was when the walk's command began, and written by nobody; else a code of docs/containment.md.
 */
const char *obstacle(int work, const char *name, const struct object *was);
/* The same of it and all below it: of a folder that goes, everything goes. */
const char *obstacle_below(int work, const char *name, const struct object *was);

#endif
