/* What a command that goes on has itself done in its view. */
#ifndef BULKHEAD_ITS_OWN_H
#define BULKHEAD_ITS_OWN_H

/*
 * True if the upper layer has at the path what the command made, changed or removed there, or did so to a folder around it; with
 * `whole`, also to what lies below. What a replay or a commit gave the view (known.h) is not the command's.
 */
int is_its_own(int upper, const char *path, int whole);

#endif
