/* File systems that are mounted inside a folder: neither an overlay nor a copy would show them. */
#ifndef BULKHEAD_NESTED_H
#define BULKHEAD_NESTED_H

/*
 * Fails the launch if there is one, as it is now, in this mount name space. Those in `except`, if any, do not count. `said` is
 * the message, before its path.
 */
void refuse_nested_mounts(const char *folder, const char *except, const char *said);

#endif
