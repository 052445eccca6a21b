#include "copy-tree.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define MAX_STEPS 24
#define MAX_DEPTH 4
#define OPEN_FOLDERS 32

static const char *const names[] = {"a", "b", "c", "d", ".git", "e f", "new\nline", "\xc3\xbc\xff"};
static const char *const targets[] = {"a", "../b", "/etc/passwd", "nowhere"};
static const char *const marks[] = {"user.overlay.opaque", "user.overlay.whiteout", "user.overlay.origin", "user.note"};
static const size_t sizes[] = {0, 0, 1, 3, 5000, 70000};
static const mode_t modes[] = {0755, 0700, 0644, 0600, 0711, 0444, 04755, 0};

/* Nothing is left: always the first. */
static unsigned pick(struct bytes *bytes, unsigned below)
{
    return bytes->at == bytes->end ? 0 : *bytes->at++ % below;
}

static const char *somewhere(struct bytes *bytes, const char *folder, char *path)
{
    int length = snprintf(path, TREE_PATH_BYTES, "%s", folder);
    unsigned depth = 1 + pick(bytes, MAX_DEPTH);
    for (unsigned at = 0; at < depth; at++)
        length += snprintf(path + length, TREE_PATH_BYTES - (size_t)length, "/%s", names[pick(bytes, LENGTH(names))]);
    return path;
}

static void put(struct bytes *bytes, const char *path, int flags)
{
    static char content[70000];
    size_t size = sizes[pick(bytes, LENGTH(sizes))];
    memset(content, 'a' + (int)pick(bytes, 3), sizeof content);
    int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0666);
    if (fd < 0)
        return;
    if (write(fd, content, size) < 0)
        perror("write");
    close(fd);
}

/* The same bytes again: only times tell. */
static void put_again(const char *path)
{
    char byte;
    int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && pread(fd, &byte, 1, 0) == 1 && pwrite(fd, &byte, 1, 0) < 0)
        perror("pwrite");
    if (fd >= 0)
        close(fd);
}

static void set_mode(struct bytes *bytes, const char *path)
{
    struct stat facts;
    mode_t mode = modes[pick(bytes, LENGTH(modes))];
    /* Who is not root must be able to look at the result. */
    if (lstat(path, &facts) < 0 || S_ISLNK(facts.st_mode))
        return;
    chmod(path, geteuid() == 0 ? mode : mode | 0700);
    if (pick(bytes, 4) == 0)
        chmod(path, facts.st_mode & 07777);
}

static void set_time(struct bytes *bytes, const char *path)
{
    struct timespec times[2] = {{0, UTIME_OMIT}, {1000000000 + pick(bytes, 2), 0}};
    utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

static int clear_one(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
    (void)facts, (void)kind, (void)where;
    return remove(path);
}

void tree_clear(const char *folder)
{
    nftw(folder, clear_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

static void grow_step(struct bytes *bytes, const char *folder)
{
    char path[TREE_PATH_BYTES];
    char other[TREE_PATH_BYTES];
    somewhere(bytes, folder, path);
    switch (pick(bytes, 10)) {
    case 0:
        if (link(path, somewhere(bytes, folder, other)) == 0)
            return;
        break;
    case 1:
        if (symlink(targets[pick(bytes, LENGTH(targets))], path) == 0)
            return;
        break;
    case 2:
        set_time(bytes, path);
        break;
    case 3:
        set_mode(bytes, path);
        break;
    case 4:
        lsetxattr(path, marks[pick(bytes, LENGTH(marks))], "y", 1, 0);
        break;
    case 5:
    case 6:
    case 7:
        mkdir(path, 0777);
        break;
    default:
        put(bytes, path, O_TRUNC);
    }
}

void tree_grow(struct bytes *bytes, const char *folder)
{
    char path[TREE_PATH_BYTES];
    /* Folders first: what lies in them has a place then. */
    for (size_t at = 0; at < LENGTH(names); at++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[at]);
        if (pick(bytes, 2) == 0)
            mkdir(path, 0777);
        snprintf(path, sizeof path, "%s/%s/%s", folder, names[at], names[pick(bytes, LENGTH(names))]);
        if (pick(bytes, 2) == 0)
            mkdir(path, 0777);
        else
            put(bytes, path, O_TRUNC);
    }
    for (unsigned steps = pick(bytes, MAX_STEPS); steps > 0; steps--)
        grow_step(bytes, folder);
}

static void change_step(struct bytes *bytes, const char *folder)
{
    char path[TREE_PATH_BYTES];
    char other[TREE_PATH_BYTES];
    somewhere(bytes, folder, path);
    switch (pick(bytes, 14)) {
    case 0:
        rename(path, somewhere(bytes, folder, other));
        break;
    case 1:
        renameat2(AT_FDCWD, path, AT_FDCWD, somewhere(bytes, folder, other), RENAME_EXCHANGE);
        break;
    case 2:
        tree_clear(path);
        break;
    case 3:
        tree_clear(path);
        mkdir(path, 0777);
        break;
    case 4:
        tree_clear(path);
        put(bytes, path, O_TRUNC);
        break;
    case 5:
        put(bytes, path, O_APPEND);
        break;
    case 6:
        put_again(path);
        break;
    case 7:
        mkfifo(path, 0666);
        break;
    default:
        grow_step(bytes, folder);
    }
}

void tree_change(struct bytes *bytes, const char *folder)
{
    for (unsigned steps = 1 + pick(bytes, MAX_STEPS); steps > 0; steps--)
        change_step(bytes, folder);
}
