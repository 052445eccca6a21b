/* What a commit needs done before its first step and after its last. Each is 0 or -errno. */
#ifndef BULKHEAD_PREPARE_H
#define BULKHEAD_PREPARE_H

#include "commit.h"

/* Takes the overlay's marks off everything that will move. */
long prepare_strip(const struct changes *changes, const struct places *places);
/* Brings what will move to the disk, folders and what is in them: before a name leads to it. */
long prepare_sync(const struct changes *changes, const struct places *places);
/*
 * Between the list and the verdict a person may have been asked. The first path that is no longer as it was listed,
 * deleted trees included; NULL if all are.
 */
const char *prepare_recheck(const struct changes *changes, const struct places *places);
/* Brings to the disk what the steps did, or what taking them back did: moved names, and what was set in place. */
long prepare_sync_folders(const struct plan *plan, const struct places *places);

#endif
