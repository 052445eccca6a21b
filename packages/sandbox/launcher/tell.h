/* Records of the control channel (docs/containment.md), each ended by NUL. Kept back until tell_flush. */
#ifndef BULKHEAD_TELL_H
#define BULKHEAD_TELL_H

#include "changes.h"

void tell_to(int fd);
void tell_flush(void);

/* `code` and `path` may be NULL. */
void tell(const char *word, const char *code, const char *path);
void tell_number(const char *word, long number);
/* `error` is -errno; a path of NULL stands for the folder itself. */
void tell_failure(long error, const char *path);

/* As a listener of changes_list. */
void tell_change(const struct change *change, const char *target);
void tell_problem(const char *code, const char *path);
void tell_note(const char *code, const char *path);

#endif
