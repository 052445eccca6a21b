#include "space.h"

#include <linux/poll.h>
#include <linux/prctl.h>
#include <linux/time_types.h>

#include "text.h"

#define POLL_CLOSED 0x10
#define MAP_BYTES 4096

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

/* All numbers of this process's own name space, each as itself. The kernel takes a map in one piece, below a page. */
static long map_all(long child, const char *name)
{
    static char own[MAP_BYTES];
    char map[MAP_BYTES] = "";
    char path[64] = "/proc/self/";
    char first[16];
    char count[16];
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
        const char *const parts[] = {first, " ", first, " ", count, "\n"};
        for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
            text_append(map, sizeof map, parts[part]);
    }
    path[0] = 0;
    text_append(path, sizeof path, "/proc/");
    text_append_number(path, sizeof path, child);
    text_append(path, sizeof path, "/");
    text_append(path, sizeof path, name);
    fd = kernel(openat, AT_FDCWD, path, O_WRONLY_ | O_CLOEXEC_);
    if (fd < 0)
        return fd;
    long written = kernel(write, fd, map, text_length(map));
    kernel(close, fd);
    return written;
}

int map_everyone(long child)
{
    if (map_all(child, "uid_map") < 0)
        return 0;
    must(map_all(child, "gid_map"), "map the groups of", "the box");
    return 1;
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
