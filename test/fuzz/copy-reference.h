/*
 * What must be said of a changed copy, found by comparing the two trees name by name. It shares nothing with the launcher, and knows
 * no change times: only what a person would see, and which folder is which.
 */
#ifndef BULKHEAD_FUZZ_COPY_REFERENCE_H
#define BULKHEAD_FUZZ_COPY_REFERENCE_H

/* Lines such as `replaced file folder a/b`: what, what is there, what was. */
struct lines {
    unsigned count;
    char *lines[8192];
};

void lines_add(struct lines *lines, const char *what, const char *kind, const char *was, const char *path);
/* Ends the process, showing both lists, unless `got` is all of `wanted` and nothing else but some of `allowed`. */
void lines_compare(struct lines *got, struct lines *wanted, const struct lines *allowed);
void lines_clear(struct lines *lines);

/* Ends the process unless the copy is like the folder; remembers which folder is which in it. */
void reference_begin(const char *work, const char *copy);
/* After the changes, before anybody takes them away. */
void reference_list(const char *work, const char *copy, struct lines *wanted, struct lines *allowed);

#endif
