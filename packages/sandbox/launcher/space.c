#include "space.h"

#include <linux/poll.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/time_types.h>

#include "process.h"
#include "text.h"

#define SET_INTERFACE_FLAGS 0x8914
#define INTERFACE_UP 1
#define POLL_CLOSED 0x10
#define MAP_BYTES 4096

/* As the kernel's struct ifreq. */
struct interface_request {
    char name[16];
    short flags;
    char rest[22];
};

void raise_loopback(void)
{
    struct interface_request request = {"lo", INTERFACE_UP, {0}};
    long fd = must(kernel(socket, 2, 2 | O_CLOEXEC_, 0), "open loopback", NULL);
    must(kernel(ioctl, fd, SET_INTERFACE_FLAGS, &request), "raise loopback", NULL);
    kernel(close, fd);
}

static void write_file(const char *path, const char *text)
{
    long fd = must(kernel(openat, AT_FDCWD, path, O_WRONLY_ | O_CLOEXEC_), "open", path);
    must(kernel(write, fd, text, text_length(text)), "write", path);
    kernel(close, fd);
}

static void map_one(const char *path, long number)
{
    char line[64] = "";
    text_append_number(line, sizeof line, number);
    text_append(line, sizeof line, " ");
    text_append_number(line, sizeof line, number);
    text_append(line, sizeof line, " 1");
    write_file(path, line);
}

void map_identity(long user, long group)
{
    write_file("/proc/self/setgroups", "deny");
    map_one("/proc/self/gid_map", group);
    map_one("/proc/self/uid_map", user);
}

/* The next number of a line of a map; the kernel pads them with blanks. */
static const char *next_number(const char *at, char *digits, size_t size)
{
    size_t length = 0;
    while (*at == ' ')
        at++;
    for (; *at >= '0' && *at <= '9' && length + 1 < size; at++)
        digits[length++] = *at;
    digits[length] = 0;
    return at;
}

/*
 * All numbers of this process's own name space, each as itself, for the process with this entry in /proc. The kernel takes a map
 * in one piece, below a page. How many numbers there are, or -errno.
 */
static long map_all(int entry, const char *name)
{
    static char own[MAP_BYTES];
    char map[MAP_BYTES] = "";
    char path[64] = "/proc/self/";
    char first[16];
    char count[16];
    long numbers = 0;
    text_append(path, sizeof path, name);
    long fd = kernel(openat, AT_FDCWD, path, O_RDONLY_ | O_CLOEXEC_);
    long length = fd < 0 ? fd : kernel(read, fd, own, sizeof own - 1);
    if (fd >= 0)
        kernel(close, fd);
    if (length < 0)
        return length;
    own[length] = 0;
    for (const char *at = own; *at != 0;) {
        at = next_number(at, first, sizeof first);
        at = next_number(at, count, sizeof count);
        at = next_number(at, count, sizeof count);
        if (*at++ != '\n')
            return -EINVAL_;
        numbers += text_number(count);
        const char *const parts[] = {first, " ", first, " ", count, "\n"};
        for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
            text_append(map, sizeof map, parts[part]);
    }
    fd = kernel(openat, entry, name, O_WRONLY_ | O_CLOEXEC_);
    if (fd < 0)
        return fd;
    long written = kernel(write, fd, map, text_length(map));
    kernel(close, fd);
    return written < 0 ? written : numbers;
}

/* How many users the process has then, or -errno: nothing is mapped. */
static long map_both(int entry)
{
    long users = map_all(entry, "uid_map");
    if (users >= 0)
        must(map_all(entry, "gid_map"), "map the groups of", "the box");
    return users;
}

long map_everyone(long child)
{
    char path[64] = "/proc/";
    text_append_number(path, sizeof path, child);
    long entry = kernel(openat, AT_FDCWD, path, O_PATH_ | O_CLOEXEC_);
    if (entry < 0)
        return entry;
    long users = map_both((int)entry);
    kernel(close, entry);
    return users;
}

int own_entry(void)
{
    return (int)must(kernel(openat, AT_FDCWD, "/proc/self", O_PATH_ | O_CLOEXEC_), "find", "/proc/self");
}

/* Only a process that stays in the name space around the new one has the right to map its users. */
int enter_inner_spaces(unsigned long flags, int entry)
{
    int made[2];
    int status = 0;
    char word;
    must(kernel(pipe2, made, O_CLOEXEC_), "make pipe", NULL);
    long mapper = must(kernel(clone, SIGCHLD_, 0, 0, 0, 0), "fork", NULL);
    if (mapper == 0) {
        kernel(close, made[1]);
        if (kernel(read, made[0], &word, 1) != 1)
            kernel(exit_group, STATUS_NO_BOX);
        kernel(exit_group, map_both(entry) < 0);
    }
    must(kernel(unshare, flags | CLONE_NEWUSER), "make inner name spaces", NULL);
    must(kernel(write, made[1], "", 1), "map the users of", "the inner name space");
    while (kernel(wait4, mapper, &status, 0, NULL) == -EINTR_)
        continue;
    kernel(close, made[0]);
    kernel(close, made[1]);
    if (exit_status(status) > 1)
        kernel(exit_group, STATUS_NO_BOX);
    return exit_status(status) == 0;
}

void die_with_launcher(int alive)
{
    struct pollfd wait = {alive, 0, 0};
    struct __kernel_timespec now = {0, 0};
    must(kernel(prctl, PR_SET_PDEATHSIG, SIGKILL_, 0, 0, 0), "die with launcher", NULL);
    must(kernel(ppoll, &wait, 1, &now, NULL, 8), "look for launcher", NULL);
    if (wait.revents & POLL_CLOSED)
        fail("launcher is gone", NULL, 0);
}
