#include "copy-reference.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "copy-tree.h"

#define MAX_FOLDERS 4096
#define SET_ID_BITS 06000

/* A folder of the copy, as it was made. */
struct folder {
    ino_t number;
    char *path;
};

static struct folder folders[MAX_FOLDERS];
static unsigned folder_count;
static const char *work_top;
static const char *copy_top;
static struct lines *wanted_lines;
static struct lines *allowed_lines;

static void differ(const char *what, const char *path)
{
    fprintf(stderr, "the copy differs from the folder in %s: %s\n", what, path);
    abort();
}

static void join(char *to, const char *folder, const char *name)
{
    snprintf(to, TREE_PATH_BYTES, "%s%s%s", folder, folder[0] == 0 || name[0] == 0 ? "" : "/", name);
}

static int look(const char *top, const char *path, struct stat *facts)
{
    char full[TREE_PATH_BYTES];
    join(full, top, path);
    return lstat(full, facts) == 0;
}

static const char *kind_of(const struct stat *facts)
{
    return S_ISREG(facts->st_mode)   ? "file"
           : S_ISDIR(facts->st_mode) ? "folder"
           : S_ISLNK(facts->st_mode) ? "link"
                                     : "other";
}

/* An empty file that a command marked as an overlay marks absent ones counts as absent. */
static int is_gone(const char *path, const struct stat *facts)
{
    char full[TREE_PATH_BYTES];
    join(full, copy_top, path);
    return S_ISREG(facts->st_mode) && facts->st_size == 0 && lgetxattr(full, "user.overlay.whiteout", NULL, 0) >= 0;
}

static int same_bytes(const char *path)
{
    static char first[80000 * 30];
    static char second[sizeof first];
    char full[TREE_PATH_BYTES];
    join(full, work_top, path);
    int a = open(full, O_RDONLY | O_CLOEXEC);
    join(full, copy_top, path);
    int b = open(full, O_RDONLY | O_CLOEXEC);
    ssize_t got = read(a, first, sizeof first);
    int same = a >= 0 && b >= 0 && got == read(b, second, sizeof second) && memcmp(first, second, (size_t)got) == 0;
    close(a);
    close(b);
    return same;
}

static int same_target(const char *path)
{
    char first[TREE_PATH_BYTES];
    char second[TREE_PATH_BYTES];
    char full[TREE_PATH_BYTES];
    join(full, work_top, path);
    ssize_t got = readlink(full, first, sizeof first);
    join(full, copy_top, path);
    return got == readlink(full, second, sizeof second) && got >= 0 && memcmp(first, second, (size_t)got) == 0;
}

static int same_time(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Calls `visit` for each name in the folder of `top`. */
static void each(const char *top, const char *folder, void (*visit)(const char *path))
{
    char path[TREE_PATH_BYTES];
    join(path, top, folder);
    DIR *stream = opendir(path);
    const struct dirent *entry;
    if (stream == NULL)
        return;
    while ((entry = readdir(stream)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        join(path, folder, entry->d_name);
        visit(path);
    }
    closedir(stream);
}

static void same_in_copy(const char *path)
{
    struct stat was;
    struct stat now;
    if (!look(work_top, path, &was) || !look(copy_top, path, &now))
        differ("names", path);
    if (was.st_mode != now.st_mode || !same_time(&was, &now))
        differ("mode or time", path);
    /* Nobody writes through one name of a symbolic link what another shows: each name has its own in the copy. */
    if (S_ISREG(was.st_mode) && was.st_nlink != now.st_nlink)
        differ("links", path);
    if (S_ISREG(was.st_mode) ? !same_bytes(path) : S_ISLNK(was.st_mode) && !same_target(path))
        differ("content", path);
    if (!S_ISDIR(was.st_mode) || folder_count == MAX_FOLDERS)
        return;
    folders[folder_count++] = (struct folder){now.st_ino, strdup(path)};
    each(work_top, path, same_in_copy);
}

static void there_in_work(const char *path)
{
    struct stat facts;
    if (!look(work_top, path, &facts))
        differ("names", path);
    if (S_ISDIR(facts.st_mode))
        each(copy_top, path, there_in_work);
}

void reference_begin(const char *work, const char *copy)
{
    while (folder_count > 0)
        free(folders[--folder_count].path);
    work_top = work;
    copy_top = copy;
    each(work, "", same_in_copy);
    each(copy, "", there_in_work);
}

static int same_folder(const char *path, const struct stat *now)
{
    for (unsigned at = 0; at < folder_count; at++)
        if (folders[at].number == now->st_ino && strcmp(folders[at].path, path) == 0)
            return 1;
    return 0;
}

static void deleted(const char *path)
{
    struct stat was;
    look(work_top, path, &was);
    lines_add(wanted_lines, "deleted", "missing", kind_of(&was), path);
    if (S_ISDIR(was.st_mode))
        each(work_top, path, deleted);
}

static void created(const char *path)
{
    struct stat now;
    look(copy_top, path, &now);
    if (is_gone(path, &now) || S_ISFIFO(now.st_mode))
        return;
    lines_add(wanted_lines, "created", kind_of(&now), "missing", path);
    if (S_ISDIR(now.st_mode))
        each(copy_top, path, created);
}

static void replaced(const char *path, const struct stat *now, const struct stat *was)
{
    lines_add(wanted_lines, "replaced", kind_of(now), kind_of(was), path);
    if (S_ISDIR(was->st_mode))
        each(work_top, path, deleted);
    if (S_ISDIR(now->st_mode))
        each(copy_top, path, created);
}

/*
 * What was touched and left as it was may be told: its other names, or a set-user bit that is not kept, make it differ. Times of a
 * file that has other names are let go; another mode, with them, takes a new file.
 */
static void compared(const char *path, const struct stat *now, const struct stat *was)
{
    int as_it_was = now->st_mode == was->st_mode && same_time(now, was);
    int linked = now->st_nlink > 1;
    int mode_differs = (now->st_mode & (mode_t)~SET_ID_BITS) != was->st_mode;
    struct lines *to = as_it_was ? allowed_lines : wanted_lines;
    if (!same_bytes(path))
        lines_add(wanted_lines, "changed", "file", "file", path);
    else if (linked || (was->st_nlink > 1 && mode_differs))
        lines_add(to, "changed", "file", "file", path);
    else if (was->st_nlink == 1 && (mode_differs || !same_time(now, was)))
        lines_add(to, "metadata", "file", "file", path);
}

static void looked_at(const char *path);

static void vanished(const char *path)
{
    struct stat now;
    if (!look(copy_top, path, &now))
        deleted(path);
}

static void merged(const char *path, const struct stat *now, const struct stat *was)
{
    if (!same_folder(path, now)) {
        replaced(path, now, was);
        return;
    }
    if (now->st_mode != was->st_mode)
        lines_add(wanted_lines, "metadata", "folder", "folder", path);
    each(copy_top, path, looked_at);
    each(work_top, path, vanished);
}

/* A name that is in the copy. */
static void looked_at(const char *path)
{
    struct stat now;
    struct stat was;
    int there = look(work_top, path, &was);
    look(copy_top, path, &now);
    if (is_gone(path, &now) && there)
        deleted(path);
    else if (S_ISFIFO(now.st_mode) && there)
        lines_add(wanted_lines, "problem", "special-file", "-", path);
    else if (!there)
        created(path);
    else if ((now.st_mode & S_IFMT) != (was.st_mode & S_IFMT))
        replaced(path, &now, &was);
    else if (S_ISDIR(now.st_mode))
        merged(path, &now, &was);
    else if (S_ISREG(now.st_mode))
        compared(path, &now, &was);
    else if (!same_target(path))
        lines_add(wanted_lines, "changed", "link", "link", path);
}

void reference_list(const char *work, const char *copy, struct lines *wanted, struct lines *allowed)
{
    work_top = work;
    copy_top = copy;
    wanted_lines = wanted;
    allowed_lines = allowed;
    each(copy, "", looked_at);
    each(work, "", vanished);
}
