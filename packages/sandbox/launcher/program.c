/* The program to start: held by descriptor, started once, and what its ELF header asks for. */
#include <linux/elf.h>
#include <linux/mman.h>
#include <linux/resource.h>

#include "confine.h"

#define PAGE_BYTES 4096UL
/* Every processor's user space reaches this far; whole pages. */
#define ADDRESS_BITS 0x3ffffff000UL
#define HIDING_TRIES 64

void open_program(const char *path)
{
    long fd = must(kernel(openat, AT_FDCWD, path, O_RDONLY_ | O_CLOEXEC_), "open program", path);
    limit(RLIMIT_NOFILE, ~0UL, "raise open files");
    must(kernel(dup3, fd, PROGRAM_DESCRIPTOR, O_CLOEXEC_), "hold program", path);
    kernel(close, fd);
}

static unsigned long random_number(void)
{
    unsigned long number;
    if (kernel(getrandom, &number, sizeof number, 0) != (long)sizeof number)
        fail("get random bytes", NULL, 0);
    return number;
}

/* `size` zero bytes at any address that is a multiple of `step`. */
static void *hidden(size_t size, unsigned long step)
{
    for (int tries = 0; tries < HIDING_TRIES; tries++) {
        long at = kernel(mmap, random_number() & ADDRESS_BITS, size + PAGE_BYTES, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (at >= (long)PAGE_BYTES)
            return (void *)((unsigned long)at + random_number() % (PAGE_BYTES / step) * step);
    }
    fail("find a place to hide the start", NULL, 0);
}

struct start hide_start(char **arguments)
{
    size_t count = 0;
    while (arguments[count] != NULL)
        count++;
    char **copy = hidden((count + 1) * sizeof *copy, sizeof *copy);
    for (size_t index = 0; index < count; index++)
        copy[index] = arguments[index];
    return (struct start){hidden(1, 1), copy};
}

void read_interpreter(int fd, const char *path, char *buffer, size_t size)
{
    Elf64_Ehdr header;
    long got = kernel(pread64, fd, &header, sizeof header, 0);
    buffer[0] = 0;
    if (got != (long)sizeof header || header.e_ident[0] != 0x7f || header.e_ident[1] != 'E' ||
        header.e_ident[2] != 'L' || header.e_ident[3] != 'F' || header.e_ident[EI_CLASS] != ELFCLASS64)
        fail("not a 64-bit ELF program:", path, got < 0 ? got : 0);
    for (unsigned index = 0; index < header.e_phnum; index++) {
        Elf64_Phdr entry;
        unsigned long at = header.e_phoff + (unsigned long)index * sizeof entry;
        if (kernel(pread64, fd, &entry, sizeof entry, at) != (long)sizeof entry)
            fail("cannot read ELF headers of", path, 0);
        if (entry.p_type != PT_INTERP)
            continue;
        if (entry.p_filesz < 2 || entry.p_filesz > size ||
            kernel(pread64, fd, buffer, entry.p_filesz, entry.p_offset) != (long)entry.p_filesz ||
            buffer[entry.p_filesz - 1] != 0)
            fail("cannot read the ELF interpreter of", path, 0);
        return;
    }
}
