/* Entry without a C library, and the three functions that compilers call unasked. */
#include "kernel.h"

int launcher_main(int argc, char **argv, char **envp);
void start_in_c(long *stack);

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n"
        "xor %ebp, %ebp\n"
        "mov %rsp, %rdi\n"
        "and $-16, %rsp\n"
        "call start_in_c\n"
        "hlt\n");
#else
__asm__(".globl _start\n_start:\n"
        "mov x29, #0\n"
        "mov x30, #0\n"
        "mov x0, sp\n"
        "and sp, x0, #-16\n"
        "bl start_in_c\n"
        "brk #1\n");
#endif

void start_in_c(long *stack)
{
    int argc = (int)stack[0];
    char **argv = (char **)(stack + 1);
    kernel(exit_group, launcher_main(argc, argv, argv + argc + 1));
    __builtin_unreachable();
}

void *memset(void *to, int value, size_t size)
{
    unsigned char *at = to;
    while (size-- > 0)
        *at++ = (unsigned char)value;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *at = to;
    const unsigned char *source = from;
    while (size-- > 0)
        *at++ = *source++;
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char *at = to;
    const unsigned char *source = from;
    if (at <= source)
        return memcpy(to, from, size);
    while (size-- > 0)
        at[size] = source[size];
    return to;
}
