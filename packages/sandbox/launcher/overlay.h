/*
 * What a command works on instead of its folder: an overlay, the working folder below and a scratch folder of its own above; or
 * where none can be made, a copy in the scratch folder.
 */
#ifndef BULKHEAD_OVERLAY_H
#define BULKHEAD_OVERLAY_H

#include "clone.h"
#include "commit.h"
#include "options.h"

struct overlay {
    struct places places;
    struct layers layers;
    /* Readable once with -ECANCELED after somebody set the wall clock. */
    int clock;
    /* When it was ready: the command must not begin before the file system's clock has passed it. */
    struct moment ready;
    /* True if the file system tells changes within one tick of the clock apart. */
    int fine;
    /* Readable once nobody has anything of the mounted overlay open; -1 if that can't be watched. */
    int watch;
    /* The copy, in the scratch folder's `work`; NULL for an overlay. */
    struct clone *clone;
};

/*
 * Prepares the empty scratch folder and notes when the command begins; makes the copy, if it is one. Outside the box. Fails the
 * launch if the scratch folder is in use, if a file system is mounted inside the working folder, or if a copy would go beyond
 * its bounds.
 */
void overlay_begin(struct overlay *overlay, const struct options *options);
/* The box has every user: the view belongs to whom the working folder belongs, and what a command gives away is a change. */
void overlay_of_everyone(struct overlay *overlay);
/* Waits, where the file system needs it, until its clock has passed `ready`: what is changed from now on is later. */
void overlay_wait_for_tick(const struct overlay *overlay);
/* The mounted overlay, or the copy, detached. Inside the box's mount name space, before its root changes. */
int overlay_mount(const struct overlay *overlay, const struct options *options);
/*
 * To be called once the command has ended: what it changed is then in the upper layer. Number of problems, which were told
 * to `problem` and make a commit impossible.
 */
unsigned long overlay_ended(struct overlay *overlay, void (*problem)(const char *code, const char *path));
/* Opens the folders of a scratch folder that was left; absent ones are -1. 0 or -errno. */
long overlay_open(struct places *places, const char *scratch, const char *work);

#endif
