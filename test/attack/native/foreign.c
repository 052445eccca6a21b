/* The kernel's other doors: tables of calls for 32-bit and x32 programs, and numbers that are nobody's. */
#include "attack.h"

#define X32_BIT 0x40000000
#define LAST_X32 560

static long call_x32(const struct world *world)
{
    (void)world;
#if defined(__x86_64__)
    return kernel6(X32_BIT + __NR_getpid, 0, 0, 0, 0, 0, 0);
#else
    return -1;
#endif
}

/* Every number of that table; worked if the kernel so much as looked at one. */
static long sweep_x32(const struct world *world)
{
    long result = -1;
    (void)world;
#if defined(__x86_64__)
    for (long number = 0; number < LAST_X32; number++) {
        /* Not: exit, exit_group, pause, sigreturn, vfork. */
        if (number == 60 || number == 231 || number == 34 || number == 15 || number == 513 || number == 58)
            continue;
        long one = kernel6(X32_BIT + number, -1, -1, -1, -1, -1, -1);
        if (one != -EPERM_)
            result = one;
    }
#endif
    return result;
}

#if defined(__x86_64__)
static long interrupt(long number, long a, long b)
{
    long result = number;
    __asm__ volatile("int $0x80" : "+a"(result) : "b"(a), "c"(b) : "r8", "r9", "r10", "r11", "memory");
    return result;
}
#endif

static long call_as_32_bit(const struct world *world)
{
    (void)world;
#if defined(__x86_64__)
    return interrupt(20, 0, 0);
#else
    return -1;
#endif
}

/* `socketcall(socket)` of the 32-bit table: one number for what the filter knows as many. */
static long socket_as_32_bit(const struct world *world)
{
    (void)world;
#if defined(__x86_64__)
    return interrupt(359, 2, 1);
#else
    return -1;
#endif
}

static long call_unknown_number(const struct world *world)
{
    (void)world;
    return kernel6(1000, 0, 0, 0, 0, 0, 0);
}

static long clone_by_structure(const struct world *world)
{
    unsigned long arguments[8] = {0x10000000, 0, 0, 0, SIGCHLD_, 0, 0, 0};
    (void)world;
    long child = kernel(clone3, arguments, sizeof arguments);
    if (child == 0)
        kernel(exit_group, 0);
    return child;
}

const struct attempt foreign_attempts[] = {
    {"call-x32", call_x32},
    {"sweep-x32", sweep_x32},
    {"call-as-32-bit", call_as_32_bit},
    {"socket-as-32-bit", socket_as_32_bit},
    {"call-unknown-number", call_unknown_number},
    {"clone-by-structure", clone_by_structure},
};

const size_t foreign_attempt_count = COUNT(foreign_attempts);
