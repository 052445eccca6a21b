/*
 * The kernel as this program sees it: raw system calls and the few constants that older headers lack.
 * Every call returns the kernel's own result: a negative number is minus errno.
 */
#ifndef BULKHEAD_KERNEL_H
#define BULKHEAD_KERNEL_H

#include <asm/unistd.h>
#include <linux/fcntl.h>
#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>

/* In start.c, as compilers call them unasked. */
void *memset(void *to, int value, size_t size);
void *memcpy(void *restrict to, const void *restrict from, size_t size);

#define EPERM_ 1
#define ENOENT_ 2
#define ESRCH_ 3
#define EINTR_ 4
#define EIO_ 5
#define E2BIG_ 7
#define EBADF_ 9
#define ECHILD_ 10
#define EAGAIN_ 11
#define ENOMEM_ 12
#define EACCES_ 13
#define EBUSY_ 16
#define EEXIST_ 17
#define EXDEV_ 18
#define ENOTDIR_ 20
#define EISDIR_ 21
#define EINVAL_ 22
#define EMFILE_ 24
#define ENOTTY_ 25
#define EFBIG_ 27
#define ENOSPC_ 28
#define ERANGE_ 34
#define ENAMETOOLONG_ 36
#define ENOSYS_ 38
#define ENOTEMPTY_ 39
#define ELOOP_ 40
#define ESTALE_ 116
#define ENODATA_ 61
#define ETIME_ 62
#define EOPNOTSUPP_ 95
#define EADDRINUSE_ 98
#define ECANCELED_ 125

#define SIGKILL_ 9
#define SIGCHLD_ 17
#define SIGSYS_ 31

#define O_RDONLY_ 0
#define O_WRONLY_ 1
#define O_RDWR_ 2
#define O_ACCMODE_ 3
#define O_CREAT_ 0100
#define O_EXCL_ 0200
#define O_TRUNC_ 01000
#define O_NONBLOCK_ 04000
#define O_CLOEXEC_ 02000000
#define O_PATH_ 010000000
#define O_TMPFILE_BIT_ 020000000

#define S_SETID_BITS_ 06000

#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif
#ifndef __NR_mseal
#define __NR_mseal 462
#endif
/* Numbers above this one are newer than this program: they do not exist inside a box. */
#define LAST_KNOWN_SYSCALL __NR_mseal

#if defined(__x86_64__)
static inline long kernel6(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
static inline long kernel6(long number, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}
#else
#error "x86_64 and aarch64 only"
#endif

#define KERNEL_PICK(_0, _1, _2, _3, _4, _5, _6, name, ...) name
#define kernel_0(n) kernel6(n, 0, 0, 0, 0, 0, 0)
#define kernel_1(n, a) kernel6(n, (long)(a), 0, 0, 0, 0, 0)
#define kernel_2(n, a, b) kernel6(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define kernel_3(n, a, b, c) kernel6(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define kernel_4(n, a, b, c, d) kernel6(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define kernel_5(n, a, b, c, d, e) kernel6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define kernel_6(n, a, b, c, d, e, f) \
    kernel6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
/* kernel(openat, AT_FDCWD, path, flags): the call by its name, up to six arguments. */
#define kernel(name, ...) KERNEL_APPLY(__NR_##name, ##__VA_ARGS__)
#define KERNEL_APPLY(...)                                                                             \
    KERNEL_PICK(__VA_ARGS__, kernel_6, kernel_5, kernel_4, kernel_3, kernel_2, kernel_1, kernel_0)    \
    (__VA_ARGS__)

#endif
