/* The watched disk and the log of what happens on it. */
#include "record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

static dev_t device;
static unsigned char *known;
static size_t numbers;
static FILE *lines;
static FILE *data;
static uint64_t data_length;

void fail(const char *what, const char *about)
{
    fprintf(stderr, "power recorder: can't %s %s: %s\n", what, about == NULL ? "" : about, strerror(errno));
    if (lines != NULL)
        fflush(lines);
    _exit(99);
}

uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000ULL + (uint64_t)time.tv_nsec;
}

int on_disk(const struct stat *facts)
{
    return facts->st_ino != 0 && facts->st_dev == device;
}

static FILE *log_file(const char *path)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        fail("make", path);
    return file;
}

void disk_open(const char *root, const char *log)
{
    struct stat facts;
    struct statvfs room;
    char path[PATH_BYTES];
    if (stat(root, &facts) < 0 || statvfs(root, &room) < 0)
        fail("look at", root);
    device = facts.st_dev;
    numbers = room.f_files + 2;
    known = calloc(numbers, 1);
    lines = log_file(log);
    snprintf(path, sizeof path, "%s.data", log);
    data = log_file(path);
    sync();
    make_known(root, &facts);
    log_call("flushed-all", now());
    log_end();
}

void disk_close(void)
{
    if (fclose(lines) != 0 || fclose(data) != 0)
        fail("write", "the log");
}

void log_call(const char *op, uint64_t begun)
{
    fprintf(lines, "{\"op\":\"%s\",\"begun\":\"%llu\",\"ended\":\"%llu\"", op, (unsigned long long)begun,
            (unsigned long long)now());
}

void log_number(const char *field, int64_t value)
{
    fprintf(lines, ",\"%s\":%lld", field, (long long)value);
}

void log_text(const char *field, const char *text)
{
    fprintf(lines, ",\"%s\":\"", field);
    for (const unsigned char *at = (const unsigned char *)text; *at != 0; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(lines, "\\%c", *at);
        else if (*at < 32)
            fprintf(lines, "\\u%04x", *at);
        else
            fputc(*at, lines);
    }
    fputc('"', lines);
}

void log_data(const void *bytes, size_t length)
{
    log_number("at", (int64_t)data_length);
    log_number("length", (int64_t)length);
    if (fwrite(bytes, 1, length, data) != length)
        fail("write", "the data of the log");
    data_length += length;
}

void log_end(void)
{
    if (fputs("}\n", lines) < 0)
        fail("write", "the log");
}

static const char *kind_of(mode_t mode)
{
    if (S_ISREG(mode))
        return "file";
    if (S_ISDIR(mode))
        return "folder";
    if (S_ISLNK(mode))
        return "link";
    return S_ISSOCK(mode) ? "socket" : "other";
}

static void log_content(const char *path, const struct stat *facts)
{
    size_t size = (size_t)facts->st_size;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    char *bytes = malloc(size + 1);
    if (fd < 0 || bytes == NULL || pread(fd, bytes, size, 0) != (ssize_t)size)
        fail("read", path);
    log_data(bytes, size);
    free(bytes);
    close(fd);
}

void log_object(const struct place *place, const struct stat *facts, const char *path, int whole, uint64_t begun)
{
    struct statx more;
    log_call("made", begun);
    log_text("kind", kind_of(facts->st_mode));
    log_number("number", (int64_t)facts->st_ino);
    log_number("mode", facts->st_mode & 07777);
    if (place != NULL && place->parent != 0) {
        log_number("parent", (int64_t)place->parent);
        log_text("name", place->name);
    }
    int flags = S_ISLNK(facts->st_mode) || whole ? AT_SYMLINK_NOFOLLOW : 0;
    if (statx(AT_FDCWD, path, flags, STATX_BTIME | STATX_MTIME, &more) == 0) {
        log_number("bornSeconds", more.stx_btime.tv_sec);
        log_number("bornNanoseconds", more.stx_btime.tv_nsec);
        log_number("changedSeconds", more.stx_mtime.tv_sec);
        log_number("changedNanoseconds", more.stx_mtime.tv_nsec);
    }
    if (S_ISLNK(facts->st_mode)) {
        char text[PATH_BYTES];
        ssize_t length = readlink(path, text, sizeof text - 1);
        text[length < 0 ? 0 : length] = 0;
        log_text("target", text);
    }
    if (whole && S_ISREG(facts->st_mode))
        log_content(path, facts);
    log_end();
    if (facts->st_ino < numbers)
        known[facts->st_ino] = 1;
}

void forget(ino_t number)
{
    if (number < numbers)
        known[number] = 0;
}

static int is_known(ino_t number)
{
    return number < numbers && known[number];
}

/* Folders on the way to it that the log has not. */
static ino_t known_parent(const char *path, char *name, size_t size)
{
    struct stat facts;
    char parent[PATH_BYTES];
    snprintf(parent, sizeof parent, "%s", path);
    char *slash = strrchr(parent, '/');
    if (slash == NULL || slash == parent)
        return 0;
    snprintf(name, size, "%s", slash + 1);
    *slash = 0;
    if (lstat(parent, &facts) < 0 || !on_disk(&facts))
        return 0;
    make_known(parent, &facts);
    return facts.st_ino;
}

static void children_known(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL) {
        struct stat facts;
        char child[PATH_BYTES + 300];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        if (lstat(child, &facts) == 0 && on_disk(&facts))
            make_known(child, &facts);
    }
    closedir(folder);
}

void make_known(const char *path, const struct stat *facts)
{
    struct place place;
    if (is_known(facts->st_ino) || facts->st_nlink == 0)
        return;
    place.parent = known_parent(path, place.name, sizeof place.name);
    if (is_known(facts->st_ino))
        return;
    log_object(&place, facts, path, 1, now());
    if (S_ISDIR(facts->st_mode))
        children_known(path);
}
