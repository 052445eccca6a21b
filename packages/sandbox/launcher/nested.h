/* File systems that are mounted inside the working folder: neither an overlay nor a copy would show them. */
#ifndef BULKHEAD_NESTED_H
#define BULKHEAD_NESTED_H

/* Fails the launch if there is one, as it is now, in this mount name space. */
void refuse_nested_mounts(const char *work);

#endif
