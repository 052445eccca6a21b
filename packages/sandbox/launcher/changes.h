/*
 * What a command changed, read from its overlay once nothing inside is alive: the upper layer beside the working
 * folder as it is now. One walk gives the list that is judged and the operations that would put it in place.
 */
#ifndef BULKHEAD_CHANGES_H
#define BULKHEAD_CHANGES_H

#include "object.h"

enum what { CREATED, CHANGED, METADATA, DELETED, REPLACED };

/*
 * One path. `operate` is set on the objects that a commit moves, sets or parks; the others are listed because they
 * lie in one of those. `now` is the object in the upper layer, `was` the one in the working folder.
 */
struct change {
    struct change *next;
    struct object now;
    struct object was;
    enum what what;
    int operate;
    /* Relative to the working folder, as bytes. */
    char path[];
};

/* Receives the list as it is made. `target` is a link's text, NULL for anything else. */
struct listener {
    void (*change)(const struct change *change, const char *target);
    /* Makes a commit impossible. `code` is one of those in docs/containment.md. */
    void (*problem)(const char *code, const char *path);
    /* Was not kept, and can't be. */
    void (*note)(const char *code, const char *path);
};

struct changes {
    struct change *first;
    struct change *last;
    unsigned long count;
    unsigned long problems;
    unsigned long bytes;
};

/* The overlay: descriptors of the upper layer and of the working folder, and when the command began. */
struct layers {
    int upper;
    int work;
    struct moment began;
    /* The wall clock was set meanwhile: nothing that exists counts as unchanged. */
    int clock_set;
    /* The command could give files to other users. */
    int owners;
    /* It went on while others worked in the folder: what meets a change of theirs is left out and noted, and the rest kept. */
    int keeps_rest;
};

void changes_list(struct changes *changes, const struct layers *layers, const struct listener *listener);

/* True if the object was not touched since the command began. */
int untouched(const struct layers *layers, const struct object *object);

#endif
