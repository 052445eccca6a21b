#include "arena.h"

#define CHUNK_BYTES (1UL << 20)
#define ALIGNMENT 16UL
#define READ_WRITE 3
#define PRIVATE_ANONYMOUS 0x22

struct chunk {
    struct chunk *before;
    char reserved[ALIGNMENT - sizeof(struct chunk *)];
};

struct arena {
    struct chunk *last;
    char *free;
    size_t left;
};

static struct arena lasting;
static struct arena passing;
static struct arena *arena = &lasting;

void *arena_take(size_t size)
{
    size = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    if (size > CHUNK_BYTES - sizeof(struct chunk))
        return NULL;
    if (size > arena->left) {
        long fresh = kernel(mmap, NULL, CHUNK_BYTES, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
        if (fresh < 0 && fresh > -4096)
            return NULL;
        struct chunk *chunk = (struct chunk *)fresh;
        chunk->before = arena->last;
        *arena = (struct arena){chunk, (char *)(chunk + 1), CHUNK_BYTES - sizeof *chunk};
    }
    void *taken = arena->free;
    arena->free += size;
    arena->left -= size;
    return taken;
}

void arena_pass(void)
{
    arena = &passing;
}

void arena_last(void)
{
    arena = &lasting;
}

void arena_give_back(void)
{
    while (passing.last != NULL) {
        struct chunk *chunk = passing.last;
        passing.last = chunk->before;
        kernel(munmap, chunk, CHUNK_BYTES);
    }
    passing = (struct arena){NULL, NULL, 0};
}
