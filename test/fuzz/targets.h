/* Add a parser: a function in targets.c and a line in its table; seeds for it in seeds.c. */
#ifndef BULKHEAD_FUZZ_TARGETS_H
#define BULKHEAD_FUZZ_TARGETS_H

#include <setjmp.h>
#include <stddef.h>

struct target {
    const char *name;
    void (*run)(const char *input, size_t size);
};

extern const struct target targets[];
extern const size_t target_count;

struct seed {
    size_t target;
    const char *bytes;
    size_t size;
};

/* Inputs that get far, to begin with. The first byte of what the fuzzer runs picks the target. */
size_t seeds(const struct seed **list);

extern jmp_buf fuzz_exit;
/* False when the code under test gave up. Once for each input. */
#define fuzz_returns() (setjmp(fuzz_exit) == 0)
/* What the code under test reads from any descriptor. */
void fuzz_file(const char *bytes, size_t size);

int fuzz_one(const unsigned char *input, size_t size);

#endif
