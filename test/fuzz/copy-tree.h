/* Random trees, and random changes of them, as bytes say: the same bytes, the same tree. */
#ifndef BULKHEAD_FUZZ_COPY_TREE_H
#define BULKHEAD_FUZZ_COPY_TREE_H

#define TREE_PATH_BYTES 4096

struct bytes {
    const unsigned char *at;
    const unsigned char *end;
};

/* Fills the empty folder with files, folders, links and hard links. */
void tree_grow(struct bytes *bytes, const char *folder);
/* What a command may do to it: some of it fails, some leaves things as they were. */
void tree_change(struct bytes *bytes, const char *folder);
void tree_clear(const char *folder);

#endif
