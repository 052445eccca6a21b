/*
 * After a command on a copy: what it changed there becomes an upper layer, as an overlay would have made it. What is listed,
 * judged and committed from then on does not know the difference.
 */
#ifndef BULKHEAD_DIFFERENCE_H
#define BULKHEAD_DIFFERENCE_H

#include "clone.h"

struct difference {
    struct clone *clone;
    /* The empty upper layer. */
    int upper;
    /* The copy was finished by then: what changed later was changed by the command. */
    struct moment made;
    /* The wall clock was set meanwhile: everything counts as changed. */
    int clock_set;
    /* Makes a commit impossible. `code` is one of those in docs/containment.md. */
    void (*problem)(const char *code, const char *path);
    unsigned long problems;
    /* So many names that the command made are held. */
    unsigned long fresh;
};

/* Moves what was changed from the copy to the upper layer. The copy is of no use afterwards. */
void difference_take(struct difference *difference);

#endif
