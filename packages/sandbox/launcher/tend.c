#include "tend.h"

#include <linux/stat.h>

#include "object.h"
#include "text.h"
#include "unlinked.h"

#define MAX_DEPTH 100
/* Some seconds on a slow disk. */
#define MAX_NAMES 2000000UL
#define NAMES_BYTES 4096
#define BLOCK 512
#define FACTS (STATX_TYPE | STATX_BLOCKS | STATX_CTIME)

struct measure {
    unsigned long names;
    unsigned long bytes;
    struct moment latest;
    int cut;
};

static void count(struct measure *measure, const struct statx *facts)
{
    struct moment changed = {facts->stx_ctime.tv_sec, facts->stx_ctime.tv_nsec};
    measure->names++;
    measure->bytes += facts->stx_blocks * BLOCK;
    if (moment_after(changed, measure->latest))
        measure->latest = changed;
}

/* A folder that can't be entered is one that its owner closed: what lies in it counts as more. */
static void measure_below(struct measure *measure, int folder, unsigned depth)
{
    char buffer[NAMES_BYTES];
    struct entries entries;
    struct statx facts;
    const char *name;
    long error = 0;
    entries_begin(&entries, folder, buffer, sizeof buffer);
    while (!measure->cut && (name = entries_next(&entries, &error)) != NULL) {
        if (kernel(statx, folder, name, AT_SYMLINK_NOFOLLOW, FACTS, &facts) < 0)
            continue;
        count(measure, &facts);
        if (measure->names > MAX_NAMES)
            measure->cut = 1;
        if (measure->cut || (facts.stx_mode & S_IFMT) != S_IFDIR)
            continue;
        long below = depth == 0 ? -EINVAL_ : folder_enter(folder, name);
        if (below < 0) {
            measure->cut = below != -ENOENT_;
            continue;
        }
        measure_below(measure, (int)below, depth - 1);
        kernel(close, below);
    }
    if (error < 0)
        measure->cut = 1;
}

static long open_folder(const char *path)
{
    long found = open_unlinked(path);
    if (found < 0)
        return found;
    long folder = kernel(openat, found, ".", O_RDONLY_ | O_DIRECTORY | O_CLOEXEC_);
    kernel(close, found);
    return folder;
}

static int gave_up(const char *step, const char *path, long result)
{
    char line[PATH_BYTES + 128] = "bulkhead-launcher: ";
    text_append(line, sizeof line, step);
    text_append(line, sizeof line, " ");
    text_append(line, sizeof line, path);
    text_append(line, sizeof line, ": errno ");
    text_append_number(line, sizeof line, -result);
    text_append(line, sizeof line, "\n");
    text_print(2, line);
    return 1;
}

int tend_measure(int count_of_paths, char **paths)
{
    struct measure measure = {0, 0, {0, 0}, 0};
    char line[128] = "";
    for (int index = 0; index < count_of_paths; index++) {
        struct statx facts;
        long folder = open_folder(paths[index]);
        if (folder < 0)
            return gave_up("measure", paths[index], folder);
        if (kernel(statx, folder, "", AT_EMPTY_PATH, FACTS, &facts) >= 0) {
            measure.names++;
            measure.bytes += facts.stx_blocks * BLOCK;
        }
        measure_below(&measure, (int)folder, MAX_DEPTH);
        kernel(close, folder);
    }
    text_append_number(line, sizeof line, (long)measure.bytes);
    text_append(line, sizeof line, " ");
    text_append_number(line, sizeof line, (long)measure.names);
    text_append(line, sizeof line, " ");
    text_append_number(line, sizeof line, measure.latest.seconds < 0 ? 0 : measure.latest.seconds);
    text_append(line, sizeof line, ".");
    /* Nine digits. */
    for (uint32_t unit = 100000000; unit > 1 && measure.latest.nanoseconds < unit; unit /= 10)
        text_append(line, sizeof line, "0");
    text_append_number(line, sizeof line, measure.latest.nanoseconds);
    text_append(line, sizeof line, measure.cut ? " cut\n" : " whole\n");
    text_print(1, line);
    return 0;
}

static long remove_one(const char *path)
{
    char above[PATH_BYTES] = "";
    size_t slash = text_length(path);
    while (slash > 0 && path[slash] != '/')
        slash--;
    if (slash == 0 || path[slash + 1] == 0)
        return -EINVAL_;
    if (slash >= sizeof above)
        return -ENAMETOOLONG_;
    memcpy(above, path, slash);
    long folder = open_folder(above);
    if (folder < 0)
        return folder;
    long result = tree_remove((int)folder, path + slash + 1);
    kernel(close, folder);
    return result;
}

int tend_remove(int count_of_paths, char **paths)
{
    int failed = 0;
    for (int index = 0; index < count_of_paths; index++) {
        long result = remove_one(paths[index]);
        if (result < 0)
            failed = gave_up("remove", paths[index], result);
    }
    return failed;
}
