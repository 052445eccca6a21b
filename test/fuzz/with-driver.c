/*
 * Entry where clang's fuzzer is not at hand: changes the seeds at random, always in the same way.
 *   fuzz SECONDS [SEED]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "targets.h"

#define MAX_INPUT 32768
#define CHECK_CLOCK_EVERY 64

static unsigned long state;

static unsigned long next(unsigned long below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static size_t change(unsigned char *input, size_t size)
{
    static const unsigned char telling[] = {0, 1, 0x7f, 0x80, 0xff, '/', '-', '\n', '9', '.'};
    size_t at = 1 + next(size);
    if (at >= size)
        at = size - 1;
    switch (next(6)) {
    case 0:
        input[at] ^= (unsigned char)(1U << next(8));
        return size;
    case 1:
        input[at] = telling[next(sizeof telling)];
        return size;
    case 2:
        return at < 2 ? size : at;
    case 3: {
        size_t length = 1 + next(size - at);
        if (size + length > MAX_INPUT)
            return size;
        memmove(input + at + length, input + at, size - at);
        return size + length;
    }
    case 4: {
        size_t length = 1 + next(size - at);
        memmove(input + at, input + at + length, size - at - length);
        return size - length < 2 ? 2 : size - length;
    }
    default:
        for (size_t index = 0; index < 8 && at + index < size; index++)
            input[at + index] = (unsigned char)next(256);
        return size;
    }
}

int main(int argc, char **argv)
{
    unsigned char *input = malloc(MAX_INPUT);
    const struct seed *list;
    size_t count = seeds(&list);
    time_t end = time(NULL) + (argc > 1 ? atol(argv[1]) : 15);
    unsigned long runs = 0;
    state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    while (runs % CHECK_CLOCK_EVERY != 0 || time(NULL) < end) {
        const struct seed *seed = &list[next(count)];
        input[0] = (unsigned char)seed->target;
        memcpy(input + 1, seed->bytes, seed->size);
        size_t size = seed->size + 1;
        for (unsigned long changes = next(12); changes > 0; changes--)
            size = change(input, size);
        unsigned char *exact = malloc(size);
        memcpy(exact, input, size);
        fuzz_one(exact, size);
        free(exact);
        runs++;
    }
    printf("Done %lu runs\n", runs);
    free(input);
    return 0;
}
