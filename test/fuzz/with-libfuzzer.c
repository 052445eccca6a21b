/* Entry for clang's fuzzer, which is guided by coverage. */
#include <stdint.h>
#include <string.h>

#include "targets.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned random);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Now and then one of the seeds instead of what the fuzzer has: the corpus begins empty. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned random)
{
    const struct seed *list;
    size_t count = seeds(&list);
    const struct seed *seed = &list[random / 64 % count];
    if (random % 64 > 1 || seed->size >= max)
        return LLVMFuzzerMutate(data, size, max);
    data[0] = (uint8_t)seed->target;
    memcpy(data + 1, seed->bytes, seed->size);
    return random % 64 == 0 ? seed->size + 1 : LLVMFuzzerMutate(data, seed->size + 1, max);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_one(data, size);
}
