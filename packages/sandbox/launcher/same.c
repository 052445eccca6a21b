#include "same.h"

#include "text.h"

#define BLOCK_BYTES 65536

int same_content(int upper, int work, const char *name, uint64_t size)
{
    static char blocks[2][BLOCK_BYTES];
    long a = kernel(openat, upper, name, O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_);
    long b = kernel(openat, work, name, O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_);
    int same = a >= 0 && b >= 0;
    for (uint64_t at = 0; same && at < size;) {
        long got = kernel(pread64, a, blocks[0], BLOCK_BYTES, at);
        same = got > 0 && kernel(pread64, b, blocks[1], got, at) == got;
        for (long byte = 0; same && byte < got; byte++)
            same = blocks[0][byte] == blocks[1][byte];
        at += same ? (uint64_t)got : 0;
    }
    if (a >= 0)
        kernel(close, a);
    if (b >= 0)
        kernel(close, b);
    return same;
}

int same_link(int upper, int work, const char *name)
{
    static char texts[2][PATH_BYTES];
    long a = kernel(readlinkat, upper, name, texts[0], PATH_BYTES - 1);
    long b = kernel(readlinkat, work, name, texts[1], PATH_BYTES - 1);
    if (a < 0 || a != b)
        return 0;
    texts[0][a] = texts[1][b] = 0;
    return text_equal(texts[0], texts[1]);
}
