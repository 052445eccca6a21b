/* Names and descriptors as another thread resolves them, read through /proc. */
#include "record.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void whole_path(char *whole, pid_t tid, int folder, const char *path)
{
    static const char self[] = "/proc/self/";
    static const char thread[] = "/proc/thread-self/";
    if (strncmp(path, self, sizeof self - 1) == 0)
        snprintf(whole, PATH_BYTES, "/proc/%d/%s", tid, path + sizeof self - 1);
    else if (strncmp(path, thread, sizeof thread - 1) == 0)
        snprintf(whole, PATH_BYTES, "/proc/%d/%s", tid, path + sizeof thread - 1);
    else if (path[0] == '/')
        snprintf(whole, PATH_BYTES, "/proc/%d/root%s", tid, path);
    else if (folder == AT_FDCWD)
        snprintf(whole, PATH_BYTES, "/proc/%d/cwd/%s", tid, path);
    else
        snprintf(whole, PATH_BYTES, "/proc/%d/fd/%d/%s", tid, folder, path);
}

void place_again(struct place *place)
{
    if (lstat(place->path, &place->facts) < 0)
        memset(&place->facts, 0, sizeof place->facts);
}

/* The folder's name to this process; 0 if what has that name is something else. */
static int outside_name(char *name, const char *path, const struct stat *folder)
{
    struct stat found;
    return realpath(path, name) != NULL && lstat(name, &found) == 0 && found.st_ino == folder->st_ino &&
           found.st_dev == folder->st_dev;
}

void place_of(struct place *place, pid_t tid, int folder, const char *path)
{
    struct stat parent;
    char *slash;
    whole_path(place->path, tid, folder, path);
    place->parent = 0;
    for (size_t end = strlen(place->path); end > 1 && place->path[end - 1] == '/'; end--)
        place->path[end - 1] = 0;
    slash = strrchr(place->path, '/');
    snprintf(place->name, sizeof place->name, "%s", slash + 1);
    *slash = 0;
    place->outside[0] = 0;
    if (stat(place->path, &parent) == 0 && on_disk(&parent)) {
        place->parent = parent.st_ino;
        /* What is on the disk has the same name inside a box as outside. */
        if (outside_name(place->outside, place->path, &parent))
            make_known(place->outside, &parent);
        else
            place->outside[0] = 0;
    }
    *slash = '/';
    place_again(place);
}

int descriptor_of(struct stat *facts, char *path, pid_t tid, int fd)
{
    char link[64];
    ssize_t length;
    snprintf(link, sizeof link, "/proc/%d/fd/%d", tid, fd);
    if (stat(link, facts) < 0 || !on_disk(facts) || !(S_ISREG(facts->st_mode) || S_ISDIR(facts->st_mode)))
        return 0;
    length = readlink(link, path, PATH_BYTES - 1);
    path[length < 0 ? 0 : length] = 0;
    return 1;
}

void place_known(const struct place *place)
{
    char path[PATH_BYTES + 300];
    if (place->outside[0] == 0 || !on_disk(&place->facts))
        return;
    snprintf(path, sizeof path, "%s/%s", place->outside, place->name);
    make_known(path, &place->facts);
}
