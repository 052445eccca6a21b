/*
 * A launcher with one wall missing, for the attack suite to notice. Included before every source of the launcher
 * (-include): the wall's system call does nothing and says that it did. The sources themselves know nothing of it.
 *
 * WITHOUT_MOUNTS runs the code that builds a root in the host's own tree. Every call that changes something by path is
 * therefore kept from the kernel there.
 */
#ifndef BULKHEAD_WITHOUT_H
#define BULKHEAD_WITHOUT_H

#include "launcher/kernel.h"

#define WITHOUT_NOTHING 0
#define WITHOUT_DESCRIPTORS 1
#define WITHOUT_PARENT_DEATH 2
#define WITHOUT_SESSION 3
#define WITHOUT_NEW_PRIVILEGES 4
#define WITHOUT_CAPABILITIES 5
#define WITHOUT_CAPABILITY_BOUNDS 6
#define WITHOUT_LANDLOCK 7
#define WITHOUT_LANDLOCK_SCOPE 8
#define WITHOUT_FILTER 9
#define WITHOUT_FOREIGN_TABLES 10
#define WITHOUT_HIDDEN_INIT 11
#define WITHOUT_CORE_LIMIT 12
#define WITHOUT_OPEN_FILE_LIMIT 13
#define WITHOUT_PROCESS_LIMIT 14
#define WITHOUT_FILE_SIZE_LIMIT 15
#define WITHOUT_USER_SPACE 16
#define WITHOUT_MOUNTS 17
#define WITHOUT_PROCESS_SPACE 18
#define WITHOUT_NETWORK_SPACE 19
#define WITHOUT_IPC_SPACE 20
#define WITHOUT_HOST_SPACE 21
#define WITHOUT_READ_ONLY 22
#define WITHOUT_MOUNT_FLAGS 23
#define WITHOUT_PRIVATE_FOLDERS 24
#define WITHOUT_MEMORY_LIMIT 25

#define PRCTL_DEATH_SIGNAL 1
#define PRCTL_DUMPABLE 4
#define PRCTL_BOUNDS_DROP 24
#define PRCTL_SECURITY_BITS 28
#define PRCTL_NO_NEW_PRIVILEGES 38
#define LAST_BOUND_NEEDED 8
#define LIMIT_FILE_SIZE 1
#define LIMIT_MEMORY 2
#define LIMIT_CORE 4
#define LIMIT_PROCESSES 6
#define LIMIT_OPEN_FILES 7
#define LARGE_LIMIT 65536UL
#define MOUNT_ATTRIBUTE_READ_ONLY 1ULL
#define MOUNT_ATTRIBUTES_NO_SET_USER_NO_DEVICES 6ULL
#define MOUNT_BIND_RECURSIVE 0x5000
#define MOUNT_FLAG_READ_ONLY 1L
#define SET_INTERFACE_FLAGS_REQUEST 0x8914
#define FILTER_ALLOW 0x7fff0000U
#define FOREIGN_ARCHITECTURE_ANSWER 2
#define FOREIGN_NUMBERS_ANSWER 5

static inline int without_same(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static inline int without_is_own(const char *path)
{
    const char *own = "/proc/self/";
    while (*own != 0 && *own == *path) {
        own++;
        path++;
    }
    return *own == 0;
}

/* Bits of `clone` and `unshare` to leave out. */
static inline long without_space(void)
{
    switch (WITHOUT) {
    case WITHOUT_USER_SPACE:
        return 0x10000000;
    case WITHOUT_MOUNTS:
        return 0x00020000;
    case WITHOUT_PROCESS_SPACE:
        return 0x20000000;
    case WITHOUT_NETWORK_SPACE:
        return 0x40000000;
    case WITHOUT_IPC_SPACE:
        return 0x08000000;
    case WITHOUT_HOST_SPACE:
        return 0x04000000;
    default:
        return 0;
    }
}

static inline int without_control(long option, long value)
{
    switch (WITHOUT) {
    case WITHOUT_PARENT_DEATH:
        return option == PRCTL_DEATH_SIGNAL;
    case WITHOUT_NEW_PRIVILEGES:
        return option == PRCTL_NO_NEW_PRIVILEGES;
    case WITHOUT_HIDDEN_INIT:
        return option == PRCTL_DUMPABLE;
    case WITHOUT_CAPABILITIES:
        return option == PRCTL_SECURITY_BITS || (option == PRCTL_BOUNDS_DROP && value <= LAST_BOUND_NEEDED);
    case WITHOUT_CAPABILITY_BOUNDS:
        return option == PRCTL_BOUNDS_DROP && value <= LAST_BOUND_NEEDED;
    default:
        return 0;
    }
}

static inline int without_limit(long resource, const unsigned long *wanted)
{
    if (wanted == NULL)
        return 0;
    switch (WITHOUT) {
    case WITHOUT_CORE_LIMIT:
        return resource == LIMIT_CORE;
    case WITHOUT_PROCESS_LIMIT:
        return resource == LIMIT_PROCESSES;
    case WITHOUT_MEMORY_LIMIT:
        return resource == LIMIT_MEMORY;
    case WITHOUT_FILE_SIZE_LIMIT:
        return resource == LIMIT_FILE_SIZE;
    case WITHOUT_OPEN_FILE_LIMIT:
        /* The launcher also raises this one, for a descriptor of its own. */
        return resource == LIMIT_OPEN_FILES && wanted[0] < LARGE_LIMIT;
    default:
        return 0;
    }
}

/* Whether the call is one whose whole effect is the missing wall. */
static inline int without_call(long number, long a, long b, long c)
{
    switch (number) {
    case __NR_close_range:
        return WITHOUT == WITHOUT_DESCRIPTORS && a >= 3;
    case __NR_setsid:
        return WITHOUT == WITHOUT_SESSION;
    case __NR_capset:
        return WITHOUT == WITHOUT_CAPABILITIES;
    case __NR_landlock_restrict_self:
        return WITHOUT == WITHOUT_LANDLOCK;
    case __NR_seccomp:
        return WITHOUT == WITHOUT_FILTER;
    case __NR_prctl:
        return without_control(a, b);
    case __NR_prlimit64:
        return without_limit(b, (const unsigned long *)c);
    case __NR_ioctl:
        return WITHOUT == WITHOUT_NETWORK_SPACE && b == SET_INTERFACE_FLAGS_REQUEST;
    case __NR_sethostname:
        return WITHOUT == WITHOUT_HOST_SPACE;
    case __NR_mount:
        return WITHOUT == WITHOUT_PRIVATE_FOLDERS && without_same((const char *)a, "tmpfs") &&
               !without_same((const char *)b, "/usr") && !without_same((const char *)b, "/dev");
    default:
        return 0;
    }
}

/* Calls by path that change the tree: without name spaces, the host's. */
static inline int without_tree(long number)
{
    if (WITHOUT != WITHOUT_MOUNTS)
        return 0;
    switch (number) {
    case __NR_mount:
    case __NR_umount2:
    case __NR_pivot_root:
    case __NR_move_mount:
    case __NR_mount_setattr:
    case __NR_chdir:
    case __NR_mkdirat:
    case __NR_mknodat:
    case __NR_unlinkat:
    case __NR_symlinkat:
    case __NR_linkat:
    case __NR_renameat2:
    case __NR_fchmodat:
    case __NR_fchownat:
    case __NR_truncate:
    case __NR_setxattr:
    case __NR_lremovexattr:
    case __NR_fchmod:
    case __NR_fsconfig:
    case __NR_utimensat:
        return 1;
    default:
        return 0;
    }
}

/* The same call with other arguments, where the wall is one of them. */
static inline long without_arguments(long number, long a, long b, long c, long d, long e, long f)
{
    if (number == __NR_clone || number == __NR_unshare)
        return kernel6(number, a & ~without_space(), b, c, d, e, f);
    if (WITHOUT == WITHOUT_FOREIGN_TABLES && number == __NR_seccomp) {
        struct {
            unsigned short length;
            unsigned *code;
        } *program = (void *)c;
        program->code[2 * FOREIGN_ARCHITECTURE_ANSWER + 1] = FILTER_ALLOW;
        program->code[2 * FOREIGN_NUMBERS_ANSWER + 1] = FILTER_ALLOW;
    }
    if (WITHOUT == WITHOUT_LANDLOCK_SCOPE && number == __NR_landlock_create_ruleset && b > 16)
        return kernel6(number, a, 16, c, d, e, f);
    if (number == __NR_mount_setattr && WITHOUT == WITHOUT_READ_ONLY)
        *(uint64_t *)d &= ~MOUNT_ATTRIBUTE_READ_ONLY;
    if (number == __NR_mount_setattr && WITHOUT == WITHOUT_MOUNT_FLAGS)
        *(uint64_t *)d &= ~MOUNT_ATTRIBUTES_NO_SET_USER_NO_DEVICES;
    if (number == __NR_mount && WITHOUT == WITHOUT_READ_ONLY)
        d &= ~MOUNT_FLAG_READ_ONLY;
    if (number == __NR_mount && WITHOUT == WITHOUT_PROCESS_SPACE && without_same((const char *)a, "proc"))
        return kernel6(number, (long)"/proc", b, 0, MOUNT_BIND_RECURSIVE, 0, 0);
    /* Numbers can't be mapped where there is no name space for them. */
    if (number == __NR_openat && WITHOUT == WITHOUT_USER_SPACE && without_is_own((const char *)b) && (c & 3) != 0)
        return kernel6(number, a, (long)"/dev/null", c, d, e, f);
    if (WITHOUT == WITHOUT_MOUNTS && number == __NR_open_tree)
        return kernel6(__NR_openat, AT_FDCWD, (long)"/", O_PATH_ | O_CLOEXEC_, 0, 0, 0);
    if (WITHOUT == WITHOUT_MOUNTS && number == __NR_openat && (c & (O_CREAT_ | O_EXCL_)) == (O_CREAT_ | O_EXCL_))
        return -EEXIST_;
    if (WITHOUT == WITHOUT_MOUNTS && number == __NR_openat && (c & 3) != 0 && !without_is_own((const char *)b))
        return kernel6(number, a, (long)"/dev/null", c, d, e, f);
    return kernel6(number, a, b, c, d, e, f);
}

static inline long weakened6(long number, long a, long b, long c, long d, long e, long f)
{
    if (without_tree(number) || without_call(number, a, b, c))
        return 0;
    return without_arguments(number, a, b, c, d, e, f);
}

#define kernel6 weakened6

#endif
