#include "arena.h"

#define CHUNK_BYTES (1UL << 20)
#define ALIGNMENT 16UL
#define READ_WRITE 3
#define PRIVATE_ANONYMOUS 0x22

static char *chunk;
static size_t chunk_left;

void *arena_take(size_t size)
{
    size = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    if (size > CHUNK_BYTES)
        return NULL;
    if (size > chunk_left) {
        long fresh = kernel(mmap, NULL, CHUNK_BYTES, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
        if (fresh < 0 && fresh > -4096)
            return NULL;
        chunk = (char *)fresh;
        chunk_left = CHUNK_BYTES;
    }
    void *taken = chunk;
    chunk += size;
    chunk_left -= size;
    return taken;
}
