#include <stdlib.h>
#include <string.h>

#include "launcher/kernel.h"
#include "targets.h"

jmp_buf fuzz_exit;

static const char *file_bytes;
static size_t file_size;
static size_t file_at;

void fuzz_file(const char *bytes, size_t size)
{
    file_bytes = bytes;
    file_size = size;
    file_at = 0;
}

/* In the launcher's stead: each piece by itself, so that the sanitizer knows its end; all given back after each input. */
#define MAX_PIECES 65536
static void *pieces[MAX_PIECES];
static size_t piece_count;

void *arena_take(size_t size)
{
    if (piece_count == MAX_PIECES)
        return NULL;
    return pieces[piece_count++] = calloc(1, size);
}

static void give_back(void)
{
    while (piece_count > 0)
        free(pieces[--piece_count]);
}

static long read_file(char *to, size_t size, unsigned long offset)
{
    if (offset >= file_size)
        return 0;
    if (size > file_size - offset)
        size = file_size - offset;
    memcpy(to, file_bytes + offset, size);
    return (long)size;
}

long hosted_kernel(long number, long a, long b, long c, long d, long e, long f)
{
    (void)a, (void)e, (void)f;
    switch (number) {
    case __NR_exit_group:
        longjmp(fuzz_exit, 1);
    case __NR_pread64:
        /* The kernel takes the offset as signed. */
        return d < 0 ? -EINVAL_ : read_file((char *)b, (size_t)c, (unsigned long)d);
    case __NR_openat:
        file_at = 0;
        return 3;
    case __NR_close:
        return 0;
    case __NR_read: {
        long got = read_file((char *)b, (size_t)c, file_at);
        file_at += (size_t)got;
        return got;
    }
    case __NR_write:
        return c;
    default:
        return -ENOSYS_;
    }
}

int fuzz_one(const unsigned char *input, size_t size)
{
    if (size == 0)
        return 0;
    targets[input[0] % target_count].run((const char *)input + 1, size - 1);
    give_back();
    return 0;
}
