/* What a command that goes on does not see of later changes, told as "unseen", why, and which path. */
#ifndef BULKHEAD_UNSEEN_H
#define BULKHEAD_UNSEEN_H

/* Kept until somebody listens. Only so many are told, and that there are others. */
void unseen(const char *code, const char *path);
void unseen_because(long error, const char *path);
/* Nothing is seen any more: told in any case, and last. */
void unseen_at_last(const char *code);
/* Somebody listens from now on. */
void unseen_speak(void);

#endif
