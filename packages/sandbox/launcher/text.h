/* Strings, numbers and the one way to give up. */
#ifndef BULKHEAD_TEXT_H
#define BULKHEAD_TEXT_H

#include "kernel.h"

#define PATH_BYTES 4096
/* Exit status of a box that could not be made: the program was not started. */
#define STATUS_NO_BOX 125

size_t text_length(const char *text);
int text_equal(const char *a, const char *b);
/* True if `path` is `folder` or lies below it, by name. */
int text_is_below(const char *path, const char *folder);
/* True if the name is one of a relative path. */
int text_passes(const char *path, const char *name);
/* Appends as much of `text` as fits, always terminated. */
void text_append(char *buffer, size_t size, const char *text);
void text_append_number(char *buffer, size_t size, long number);
/* A decimal number of 0 or more; -1 for anything else. */
long text_number(const char *text);
/* One write. */
void text_print(int fd, const char *text);

/*
 * Says on stderr, in one line, which step failed, about what (may be NULL) and with which errno, and exits
 * with STATUS_NO_BOX. `result` is the kernel's answer, 0 if no call failed.
 */
void fail(const char *step, const char *subject, long result) __attribute__((noreturn));
/* `result` if it is not an error, else fail(). */
long must(long result, const char *step, const char *subject);

#endif
