#include <linux/prctl.h>
#include <linux/resource.h>

#include "confine.h"
#include "probe-files.h"

#define EROFS_ 30
#define ECONNREFUSED_ 111
#define TCP_ADDRESS_BYTES 16
#define MAX_FAMILY 64
#define MAX_TYPE 10
#define PTRACE_SEIZE_ 0x4206

/* What became of a child that was made: a box that lets it be made but not waited for has let it be made. */
static long wait_for(long child)
{
    int status = 0;
    if (kernel(wait4, child, &status, 0, NULL) < 0)
        return 0;
    return (status & 0x7f) ? -EINTR_ : -((status >> 8) & 0xff);
}

/* Starts a copy of this program, which says its version and exits with 0; the child exits with errno. */
static long start(const char *path)
{
    char *arguments[] = {(char *)(uintptr_t)path, (char *)(uintptr_t) "version", NULL};
    char *environment[] = {NULL};
    if (path == NULL)
        return -EINVAL_;
    long child = kernel(clone, SIGCHLD_, 0, 0, 0, 0);
    if (child < 0)
        return kernel(execve, path, arguments, environment);
    if (child == 0) {
        long silent = kernel(openat, AT_FDCWD, "/dev/null", O_WRONLY_);
        kernel(dup3, silent, 1, 0);
        long result = kernel(execve, path, arguments, environment);
        kernel(exit_group, -result);
    }
    return wait_for(child);
}

static long end_child(long child)
{
    if (child == 0) {
        kernel(exit_group, 0);
        __builtin_unreachable();
    }
    return child < 0 ? child : wait_for(child);
}

static long clone_process(const struct options *options)
{
    (void)options;
    return end_child(kernel(clone, SIGCHLD_, 0, 0, 0, 0));
}

#if defined(__x86_64__)
static long fork_process(const struct options *options)
{
    (void)options;
    return end_child(kernel(fork));
}
#endif

static long start_foreign(const struct options *options)
{
    return start(options->targets.program);
}

static long start_allowed(const struct options *options)
{
    return start(options->targets.allowed);
}

/* A box of its own process name space cannot even name the parent; there the number may be one of its own. */
static long signal_parent(const struct options *options)
{
    long own = kernel(getpid);
    int may_be_own = kernel(getppid) == 0 ? options->parent == own : own == 2 && options->parent <= 2;
    if (may_be_own)
        return options->profile == PROFILE_AGENT ? -EPERM_ : -ESRCH_;
    return kernel(kill, options->parent, 0);
}

static long signal_self(const struct options *options)
{
    (void)options;
    long self = kernel(getpid);
    return kernel(kill, self, 0);
}

static long connect_listener(const struct options *options)
{
    unsigned port = (unsigned)options->targets.port;
    unsigned char address[TCP_ADDRESS_BYTES] = {2, 0, (unsigned char)(port >> 8), (unsigned char)port, 127, 0, 0, 1};
    long fd = kernel(socket, 2, 1 | O_CLOEXEC_, 0);
    if (fd < 0)
        return fd;
    long result = kernel(connect, fd, address, sizeof address);
    kernel(close, fd);
    return result;
}

/* Every family and type that Linux has or will have. One that works is enough to fail. */
static long open_any_socket(const struct options *options)
{
    long refusal = -EPERM_;
    (void)options;
    for (int family = 0; family < MAX_FAMILY; family++) {
        for (int type = 1; type <= MAX_TYPE; type++) {
            long fd = kernel(socket, family, type | O_CLOEXEC_, 0);
            if (fd >= 0) {
                kernel(close, fd);
                return 0;
            }
            if (fd != -EPERM_)
                refusal = fd;
        }
    }
    return refusal;
}

static long use_leaked_descriptor(const struct options *options)
{
    (void)options;
    return kernel(fcntl, LEAKED_DESCRIPTOR, 1, 0);
}

/* None, but that root in a shell box has rights over files. */
static long have_no_capability(const struct options *options)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    int is_root = options->profile == PROFILE_SHELL && kernel(geteuid) == 0;
    uint32_t kept = is_root ? FILE_CAPABILITIES : 0;
    long result = kernel(capget, &header, data);
    if (result < 0)
        return result;
    uint32_t any = ((data[0].effective | data[0].permitted) & ~kept) | data[0].inheritable | data[1].effective |
                   data[1].permitted | data[1].inheritable;
    for (int capability = 0; is_root && capability < 32; capability++)
        if (kernel(prctl, PR_CAPBSET_READ, capability, 0, 0, 0) == 1)
            any |= (1U << capability) & ~kept;
    return any == 0 ? 0 : -EINVAL_;
}

/* Holds on to the box's first process without stopping it. */
static long trace_init(const struct options *options)
{
    (void)options;
    return kernel(ptrace, PTRACE_SEIZE_, 1, 0, 0);
}

static long have_no_core_files(const struct options *options)
{
    unsigned long both[2] = {2, 2};
    (void)options;
    long result = kernel(prlimit64, 0, RLIMIT_CORE, NULL, both);
    if (result < 0)
        return result;
    return both[0] <= 1 && both[1] <= 1 ? 0 : -EINVAL_;
}

static long be_first_process(const struct options *options)
{
    (void)options;
    return kernel(getpid) == 1 && kernel(getppid) == 0 ? 0 : -ESRCH_;
}

/* By box: agent, worker, shell; agent, worker with name spaces. */
const struct deed probe_deeds[] = {
    {"read-granted", read_granted, {DONE, DONE, DONE, DONE, DONE}, CONTROL_NEEDED},
    {"read-secret", read_secret, {-EACCES_, -EACCES_, -ENOENT_, -ENOENT_, -ENOENT_}, CONTROL_NEEDED},
    {"write-secret", write_secret, {-EPERM_, -EACCES_, -ENOENT_, -EPERM_, -ENOENT_}, CONTROL_NEEDED},
    {"list-closed", list_closed, {-EACCES_, -EACCES_, -ENOENT_, -ENOENT_, -ENOENT_}, CONTROL_NEEDED},
    {"create-in-closed", create_in_closed, {-EPERM_, -EACCES_, -ENOENT_, -EPERM_, -ENOENT_}, CONTROL_NEEDED},
    {"write-read-only", write_read_only, {-EPERM_, -EACCES_, -EROFS_, -EPERM_, -EROFS_}, CONTROL_NEEDED},
    {"cut-read-only", cut_read_only, {-EPERM_, -EPERM_, -EROFS_, -EPERM_, -EPERM_}, CONTROL_UNSAFE},
    {"create-in-granted", create_in_granted, {SKIP, DONE, DONE, SKIP, DONE}, CONTROL_NEEDED},
    {"create-in-protected", create_in_protected, {SKIP, SKIP, -EROFS_, SKIP, SKIP}, CONTROL_NEEDED},
    {"read-hidden", read_hidden, {SKIP, SKIP, -ENOENT_, SKIP, SKIP}, CONTROL_NEEDED},
    {"open-denied", open_denied, {SKIP, SKIP, -EACCES_, SKIP, SKIP}, CONTROL_NEEDED},
    {"read-shadow", read_shadow, {SKIP, SKIP, -ENOENT_, SKIP, SKIP}, CONTROL_IF_PRESENT},
    {"create-in-root", create_in_root, {SKIP, SKIP, -EROFS_, -EPERM_, -EROFS_}, CONTROL_UNSAFE},
    {"create-in-usr", create_in_usr, {SKIP, SKIP, -EROFS_, SKIP, SKIP}, CONTROL_UNSAFE},
    {"clone-process", clone_process, {-EPERM_, DONE, DONE, -EPERM_, DONE}, CONTROL_NEEDED},
#if defined(__x86_64__)
    {"fork-process", fork_process, {-EPERM_, DONE, DONE, -EPERM_, DONE}, CONTROL_NEEDED},
#endif
    {"start-foreign", start_foreign, {-EPERM_, -EACCES_, -ENOENT_, -EPERM_, -ENOENT_}, CONTROL_NEEDED},
    {"start-allowed", start_allowed, {SKIP, DONE, DONE, SKIP, DONE}, CONTROL_NEEDED},
    {"signal-self", signal_self, {DONE, DONE, DONE, DONE, DONE}, CONTROL_NEEDED},
    {"signal-parent", signal_parent, {-EPERM_, -EPERM_, -ESRCH_, -EPERM_, -ESRCH_}, CONTROL_NEEDED},
    {"connect-host", connect_listener, {-EPERM_, -EPERM_, -ECONNREFUSED_, -EPERM_, -EPERM_}, CONTROL_NEEDED},
    {"any-socket", open_any_socket, {-EPERM_, -EPERM_, SKIP, -EPERM_, -EPERM_}, CONTROL_NEEDED},
    {"leaked-descriptor", use_leaked_descriptor, {-EBADF_, -EBADF_, -EBADF_, -EBADF_, -EBADF_}, CONTROL_NEEDED},
    {"see-secret", see_secret, {SKIP, SKIP, SKIP, -ENOENT_, -ENOENT_}, CONTROL_NEEDED},
    {"see-password-file", see_password_file, {SKIP, SKIP, SKIP, -ENOENT_, -ENOENT_}, CONTROL_NEEDED},
    {"change-mode-of-read-only", change_mode_of_read_only, {-EPERM_, SKIP, -EROFS_, -EPERM_, -EROFS_}, CONTROL_NEEDED},
    {"change-owner-of-read-only", change_owner_of_read_only, {SKIP, SKIP, -EROFS_, SKIP, SKIP}, CONTROL_NEEDED},
    {"make-device", make_device, {SKIP, SKIP, -EPERM_, SKIP, SKIP}, CONTROL_IF_ALLOWED},
    {"trace-init", trace_init, {SKIP, SKIP, -EPERM_, SKIP, SKIP}, CONTROL_UNSAFE},
    {"map-written-code", map_written_code, {SKIP, SKIP, SKIP, SKIP, -EPERM_}, CONTROL_NEEDED},
    {"be-first-process", be_first_process, {SKIP, SKIP, SKIP, DONE, DONE}, CONTROL_UNSAFE},
    {"no-capability", have_no_capability, {DONE, DONE, DONE, DONE, DONE}, CONTROL_UNSAFE},
    {"no-core-files", have_no_core_files, {DONE, DONE, DONE, DONE, DONE}, CONTROL_UNSAFE},
};

const size_t probe_deed_count = sizeof probe_deeds / sizeof *probe_deeds;
