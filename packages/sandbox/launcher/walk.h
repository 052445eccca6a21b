/* The one walk through an overlay's layers: where it is, what it has found, and how it goes on. */
#ifndef BULKHEAD_WALK_H
#define BULKHEAD_WALK_H

#include "changes.h"

/* Looks at `name`, the object the walk now stands at. `other` is the other layer's folder, or -1. */
typedef void (*visitor)(int folder, int other, const char *name, int operate);

void walk_begin(struct changes *changes, const struct layers *layers, const struct listener *listener);
const struct layers *walk_layers(void);

/* Visits all entries of the open folder; of the folder `name`. */
void walk_each(int fd, int other, visitor visit);
void walk_below(int folder, const char *name, visitor visit);

/* All about the object the walk stands at. `upper` is the folder that holds it there. */
void walk_add(enum what what, int operate, const struct object *now, const struct object *was, int upper, const char *name);
void walk_problem(const char *code);
void walk_system_problem(long error);
/* The path that the walk is at. */
const char *walk_path(void);
void walk_note(const char *code);

#endif
