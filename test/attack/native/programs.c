/* Programs started past what a box lets start. The proof is the line that the started program says itself. */
#include "attack.h"

#define PROGRAM_DESCRIPTOR 512
#define READ_EXECUTE 5
#define READ_WRITE_EXECUTE 7
#define PRIVATE 2
#define ANONYMOUS 0x20

static char *nothing[] = {NULL};

static long start_system_program(const struct world *world)
{
    static const char *const arguments[] = {"/bin/echo", "start-system-program", "0", NULL};
    (void)world;
    return kernel(execve, "/bin/echo", arguments, nothing);
}

static long start_foreign_program(const struct world *world)
{
    const char *arguments[] = {world->program, "mark", "start-foreign-program", NULL};
    return kernel(execve, world->program, arguments, nothing);
}

static long start_readable_program(const struct world *world)
{
    const char *arguments[] = {world->self, "mark", "start-readable-program", NULL};
    return kernel(execve, world->self, arguments, nothing);
}

static long start_script(const struct world *world)
{
    const char *arguments[] = {world->script, NULL};
    return kernel(execve, world->script, arguments, nothing);
}

/* A dynamic program that the box never named, run by the loader that it did. */
static long start_by_loader(const struct world *world)
{
    const char *arguments[] = {world->loader, joined(world->work, "echo"), "start-by-loader", "0", NULL};
    return kernel(execve, world->loader, arguments, nothing);
}

/* By the descriptor number that the launcher held the program at. */
static long start_by_held_number(const struct world *world)
{
    const char *arguments[] = {world->self, "mark", "start-by-held-number", NULL};
    long fd = kernel(openat, AT_FDCWD, world->self, O_RDONLY_ | O_CLOEXEC_);
    if (fd < 0)
        return fd;
    long held = kernel(dup3, fd, PROGRAM_DESCRIPTOR, O_CLOEXEC_);
    return held < 0 ? held : kernel(execveat, PROGRAM_DESCRIPTOR, "", arguments, nothing, AT_EMPTY_PATH);
}

/* An absolute path makes the kernel forget the descriptor, whatever a filter thinks of its number. */
static long start_by_path_past_number(const struct world *world)
{
    const char *arguments[] = {world->self, "mark", "start-by-path-past-number", NULL};
    return kernel(execveat, PROGRAM_DESCRIPTOR, world->self, arguments, nothing, AT_EMPTY_PATH);
}

static long copy_to_memory(const char *path)
{
    static char buffer[65536];
    long got;
    long to = kernel(memfd_create, "attack", 0);
    if (to < 0)
        return to;
    long from = kernel(openat, AT_FDCWD, path, O_RDONLY_ | O_CLOEXEC_);
    while ((got = kernel(read, from, buffer, sizeof buffer)) > 0)
        kernel(write, to, buffer, got);
    kernel(close, from);
    return to;
}

static long start_from_memory(const struct world *world)
{
    static const char *const arguments[] = {"memory", "mark", "start-from-memory", NULL};
    long fd = copy_to_memory(world->self);
    return fd < 0 ? fd : kernel(execveat, fd, "", arguments, nothing, AT_EMPTY_PATH);
}

static long start_brought_program(const struct world *world)
{
    static char buffer[65536];
    const char *path = joined(world->work, "m-brought");
    const char *arguments[] = {path, "mark", "start-brought-program", NULL};
    long got;
    long to = kernel(openat, AT_FDCWD, path, O_WRONLY_ | O_CREAT_ | O_TRUNC_ | O_CLOEXEC_, 0700);
    if (to < 0)
        return to;
    long from = kernel(openat, AT_FDCWD, world->self, O_RDONLY_ | O_CLOEXEC_);
    while ((got = kernel(read, from, buffer, sizeof buffer)) > 0)
        kernel(write, to, buffer, got);
    kernel(close, to);
    return kernel(execve, path, arguments, nothing);
}

/* Allowed everywhere: Node compiles. What it proves is that the suite's attacker is not harmless for want of this. */
static long run_made_code(const struct world *world)
{
    (void)world;
    long at = kernel(mmap, NULL, 4096, READ_WRITE_EXECUTE, PRIVATE | ANONYMOUS, -1, 0);
    if (at < 0 && at > -4096)
        return at;
#if defined(__x86_64__)
    *(volatile unsigned char *)at = 0xc3;
#else
    *(volatile unsigned *)at = 0xd65f03c0;
    __asm__ volatile("dc cvau, %0\n dsb ish\n ic ivau, %0\n dsb ish\n isb" : : "r"(at) : "memory");
#endif
    ((void (*)(void))at)();
    return 0;
}

const struct attempt program_attempts[] = {
    {"start-system-program", start_system_program},
    {"start-foreign-program", start_foreign_program},
    {"start-readable-program", start_readable_program},
    {"start-script", start_script},
    {"start-by-loader", start_by_loader},
    {"start-by-held-number", start_by_held_number},
    {"start-by-path-past-number", start_by_path_past_number},
    {"start-from-memory", start_from_memory},
    {"start-brought-program", start_brought_program},
    {"run-made-code", run_made_code},
};

const size_t program_attempt_count = COUNT(program_attempts);
