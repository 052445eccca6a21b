/*
 * The steps of a commit, and the journal that names them all before the first is taken. Recovery reads it and
 * asks of each step only which object is at which name, so it may be interrupted and repeated.
 */
#ifndef BULKHEAD_PLAN_H
#define BULKHEAD_PLAN_H

#include "changes.h"

/* PLACE moves to a free name, EXCHANGE swaps two objects, PARK moves away, SET changes owner, mode and times in place. */
enum motion { PLACE, EXCHANGE, PARK, SET };

/* What becomes of a command is decided by its journal's mark alone: with `committed` nothing is rolled back any more. */
enum mark { PLANNED = 1, COMMITTED = 2 };

struct step {
    struct step *next;
    struct step *previous;
    enum motion motion;
    /* Name of the parked object in the folder of parked ones. */
    uint32_t parked;
    struct object now;
    struct object was;
    const char *path;
};

struct plan {
    struct step *first;
    struct step *last;
    uint32_t count;
};

/*
 * Folders are opened to their owner before what lies in them moves, and closed afterwards: so SET comes first where it gives the
 * right to write, else last. -ENOMEM or 0.
 */
long plan_make(struct plan *plan, const struct changes *changes);

/* Writes the journal into the scratch folder, on the disk. */
long plan_write(const struct plan *plan, int scratch);
/* Sets the journal's mark. On the disk when it returns; if it fails, what the disk says is not known. */
long plan_mark(int scratch, enum mark mark);
/*
 * Reads the journal: its mark and, unless that is `committed`, its steps. `device` is what the file system of both folders is now:
 * it may have had another number when the journal was written. -ENOENT: there is none, so no step was taken, or all were
 * taken back. -EINVAL: it is not one of ours.
 */
long plan_read(struct plan *plan, int scratch, uint64_t device, enum mark *mark);
/* Removes the journal of a plan that was taken back, or never begun. On the disk when it returns. */
long plan_forget(int scratch);

/* Name of a parked object. */
void plan_parked_name(char *name, size_t size, uint32_t parked);

#endif
