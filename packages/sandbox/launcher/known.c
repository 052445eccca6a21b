#include "known.h"

#include "arena.h"
#include "text.h"

#define PLACE_BITS 17
#define MOST 500000UL
#define BLOCK_BYTES 65536

struct given {
    struct given *next;
    enum kind kind;
    uint32_t mode;
    uint64_t size;
    uint64_t digest;
    char path[];
};

static struct given *table[1U << PLACE_BITS];
static unsigned long count;

uint64_t digest_add(uint64_t digest, const char *bytes, size_t size)
{
    /* FNV-1a. */
    for (size_t at = 0; at < size; at++)
        digest = (digest ^ (unsigned char)bytes[at]) * 0x100000001b3ULL;
    return digest;
}

uint64_t known_place(const char *path)
{
    static uint64_t begin;
    while (begin == 0)
        if (kernel(getrandom, &begin, sizeof begin, 0) != (long)sizeof begin)
            fail("get random bytes", NULL, 0);
    uint64_t digest = digest_add(begin, path, text_length(path));
    /* The low bits of the digest depend on low bits alone. The finaliser is that of MurmurHash3. */
    digest = (digest ^ (digest >> 33)) * 0xff51afd7ed558ccdULL;
    digest = (digest ^ (digest >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return digest ^ (digest >> 33);
}

static struct given **place_of(const char *path)
{
    return &table[known_place(path) >> (64 - PLACE_BITS)];
}

static struct given *find(const char *path)
{
    struct given *at = *place_of(path);
    while (at != NULL && !text_equal(at->path, path))
        at = at->next;
    return at;
}

/* Of `size` bytes: somebody may write it meanwhile, as fast as it is read. */
static long digest_of_file(int folder, const char *name, uint64_t size, uint64_t *digest)
{
    static char block[BLOCK_BYTES];
    long fd = kernel(openat, folder, name, O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_);
    long got = fd;
    uint64_t seen = 0;
    *digest = DIGEST_BEGIN;
    while (got >= 0 && (got = kernel(read, fd, block, sizeof block)) > 0) {
        *digest = digest_add(*digest, block, (size_t)got);
        seen += (uint64_t)got;
        got = seen > size ? -EFBIG_ : got;
    }
    if (fd >= 0)
        kernel(close, fd);
    return got < 0 ? got : 0;
}

long digest_of(int folder, const char *name, const struct object *object, uint64_t *digest)
{
    char text[PATH_BYTES];
    *digest = DIGEST_BEGIN;
    if (object->kind == KIND_FILE)
        return digest_of_file(folder, name, object->size, digest);
    if (object->kind != KIND_LINK)
        return 0;
    long length = kernel(readlinkat, folder, name, text, sizeof text);
    if (length >= 0)
        *digest = digest_add(DIGEST_BEGIN, text, (size_t)length);
    return length < 0 ? length : 0;
}

long known_put(const char *path, const struct object *object, uint64_t digest)
{
    struct given *given = find(path);
    size_t length = text_length(path);
    if (given == NULL) {
        struct given **place = place_of(path);
        given = count < MOST ? arena_take(sizeof *given + length + 1) : NULL;
        if (given == NULL)
            return -ENOMEM_;
        memcpy(given->path, path, length + 1);
        given->next = *place;
        *place = given;
        count++;
    }
    given->kind = object->kind;
    given->mode = object->mode;
    given->size = object->size;
    given->digest = digest;
    return 0;
}

void known_forget(const char *path)
{
    struct given **at = place_of(path);
    while (*at != NULL && !text_equal((*at)->path, path))
        at = &(*at)->next;
    if (*at == NULL)
        return;
    *at = (*at)->next;
    count--;
}

int known_same(const char *path, const struct object *object, uint64_t digest)
{
    const struct given *given = find(path);
    return given != NULL && given->kind == object->kind && given->size == object->size && given->digest == digest;
}

int known_is(int folder, const char *name, const char *path, const struct object *object)
{
    uint64_t digest;
    const struct given *given = count == 0 ? NULL : find(path);
    if (given == NULL)
        return 0;
    if (object->kind == KIND_WHITEOUT || object->kind == KIND_MISSING)
        return given->kind == KIND_MISSING;
    if (object->kind != given->kind || object->kind == KIND_FOLDER)
        return object->kind == given->kind;
    if (object->size != given->size || (object->kind == KIND_FILE && object->mode != given->mode))
        return 0;
    return digest_of(folder, name, object, &digest) >= 0 && digest == given->digest;
}
