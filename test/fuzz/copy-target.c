/*
 * What the launcher makes of a copy of the working folder, on real files: it copies a random folder, random changes are made to the
 * copy, and what is listed of them must be what a comparison of the two trees finds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/changes.h"
#include "launcher/clone.h"
#include "launcher/difference.h"
#include "copy-reference.h"
#include "copy-tree.h"
#include "targets.h"

#define SEEDS 64
#define SEED_BYTES 384
#define FOLDER_FLAGS (O_RDONLY_ | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC_)
#define MAX_PIECES 65536

/* Of stdlib.h, which does not get along with the kernel's headers. */
char *mkdtemp(char *template);

static struct lines got;
static struct lines wanted;
static struct lines allowed;

/* In the launcher's stead: each piece by itself, so that the sanitizer knows its end. */
static void *pieces[MAX_PIECES];
static size_t piece_count;

void *arena_take(size_t size)
{
    if (piece_count == MAX_PIECES)
        return NULL;
    return pieces[piece_count++] = calloc(1, size);
}

static void promise(int holds, const char *what, long result)
{
    if (holds)
        return;
    fprintf(stderr, "%s: %ld\n", what, result);
    abort();
}

static const char *const what_names[] = {"created", "changed", "metadata", "deleted", "replaced"};
static const char *const kind_names[] = {"missing", "file", "folder", "link", "other", "whiteout"};

static void hear_change(const struct change *change, const char *target)
{
    (void)target;
    lines_add(&got, what_names[change->what], kind_names[change->now.kind], kind_names[change->was.kind], change->path);
}

static void hear_problem(const char *code, const char *path)
{
    lines_add(&got, "problem", code, "-", path);
}

static void hear_note(const char *code, const char *path)
{
    (void)code, (void)path;
}

static int make(const char *top, const char *name, char *path)
{
    snprintf(path, TREE_PATH_BYTES, "%s/%s", top, name);
    promise(kernel(mkdirat, AT_FDCWD, path, 0700) == 0, path, 0);
    return (int)kernel(openat, AT_FDCWD, path, FOLDER_FLAGS);
}

/* A time that nothing made before is later than, and nothing made after is not. */
static struct moment note(int folder)
{
    struct object first;
    struct object again;
    kernel(fchmod, folder, 0700);
    object_of(folder, &first);
    do {
        kernel(fchmod, folder, 0700);
        object_of(folder, &again);
    } while (!moment_after(again.changed, first.changed));
    return first.changed;
}

static void run(struct bytes *bytes, const char *top)
{
    static struct clone clone;
    char work_path[TREE_PATH_BYTES];
    char copy_path[TREE_PATH_BYTES];
    char upper_path[TREE_PATH_BYTES];
    int work = make(top, "work", work_path);
    int copy = make(top, "copy", copy_path);
    int upper = make(top, "upper", upper_path);
    promise(work >= 0 && copy >= 0 && upper >= 0, "open", 0);
    tree_grow(bytes, work_path);
    struct layers layers = {upper, work, note(upper), 0, 1, 0};
    memset(&clone, 0, sizeof clone);
    long result = clone_tree(&clone, work, copy);
    promise(result >= 0, "clone_tree", result);
    reference_begin(work_path, copy_path);
    struct difference difference = {
        .clone = &clone, .upper = upper, .made = note(upper), .problem = hear_problem};
    tree_change(bytes, copy_path);
    reference_list(work_path, copy_path, &wanted, &allowed);
    difference_take(&difference);
    struct changes changes;
    const struct listener listener = {hear_change, hear_problem, hear_note};
    changes_list(&changes, &layers, &listener);
    lines_compare(&got, &wanted, &allowed);
    kernel(close, work);
    kernel(close, copy);
    kernel(close, upper);
}

int fuzz_one(const unsigned char *input, size_t size)
{
    const char *place = getenv("TMPDIR");
    char top[TREE_PATH_BYTES];
    struct bytes bytes = {input, input + size};
    snprintf(top, sizeof top, "%s/bulkhead-fuzz-XXXXXX", place == NULL ? "/tmp" : place);
    promise(mkdtemp(top) != NULL, "mkdtemp", 0);
    run(&bytes, top);
    tree_clear(top);
    lines_clear(&got);
    lines_clear(&wanted);
    lines_clear(&allowed);
    while (piece_count > 0)
        free(pieces[--piece_count]);
    return 0;
}

/* Bytes without meaning: every step of tree and changes takes the next ones. */
size_t seeds(const struct seed **to)
{
    static char bytes[SEEDS][SEED_BYTES];
    static struct seed list[SEEDS];
    unsigned state = 1;
    for (size_t seed = 0; seed < SEEDS; seed++) {
        for (size_t at = 0; at < SEED_BYTES; at++)
            bytes[seed][at] = (char)((state = state * 1103515245U + 12345U) >> 16);
        list[seed] = (struct seed){seed % 256, bytes[seed], SEED_BYTES};
    }
    *to = list;
    return SEEDS;
}
