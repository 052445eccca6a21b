#include <string.h>

#include "../launcher/kernel.h"
#include "targets.h"

jmp_buf fuzz_exit;

static const char *file_bytes;
static size_t file_size;

void fuzz_file(const char *bytes, size_t size)
{
    file_bytes = bytes;
    file_size = size;
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
    return 0;
}
