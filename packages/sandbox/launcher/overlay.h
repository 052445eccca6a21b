/* The overlay a command works on: the working folder below, a scratch folder of its own above. */
#ifndef BULKHEAD_OVERLAY_H
#define BULKHEAD_OVERLAY_H

#include "commit.h"
#include "options.h"

struct overlay {
    struct places places;
    struct layers layers;
    /* Readable once with -ECANCELED after somebody set the wall clock. */
    int clock;
    /* True if the file system tells changes within one tick of the clock apart. */
    int fine;
};

/*
 * Prepares the empty scratch folder and notes when the command begins. Outside the box. Fails the launch if the scratch folder
 * is in use, or if a file system is mounted inside the working folder, which an overlay would not show.
 */
void overlay_begin(struct overlay *overlay, const struct options *options);
/* Waits, where the file system needs it, until its clock has passed the begin: what is changed from now on is later. */
void overlay_wait_for_tick(const struct overlay *overlay);
/* The mounted overlay, detached. Inside the box's mount name space, before its root changes. */
int overlay_mount(const struct overlay *overlay, const struct options *options);
/* To be called once the command has ended. */
void overlay_ended(struct overlay *overlay);

/* Opens the folders of a scratch folder that was left; absent ones are -1. 0 or -errno. */
long overlay_open(struct places *places, const char *scratch, const char *work);

#endif
