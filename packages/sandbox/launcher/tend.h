/*
 * What becomes of a private home, or of a folder for temporary files: commands wrote it and may have put any
 * link there. Everything is found by descriptor, no link is followed and no mount crossed.
 */
#ifndef BULKHEAD_TEND_H
#define BULKHEAD_TEND_H

/*
 * Says on standard output `BYTES NAMES SECONDS.NANOSECONDS whole|cut`: what the folders take on their disk, and
 * the latest change of anything below them (their own times are the caller's, who made them). `cut`: there is more
 * than was counted. 0, or 1 if one can't be read.
 */
int tend_measure(int count, char **paths);
/* Removes each with all below it; 0, or 1 with a line on standard error. */
int tend_remove(int count, char **paths);

#endif
