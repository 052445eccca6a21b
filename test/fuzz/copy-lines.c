#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "copy-reference.h"
#include "copy-tree.h"

void lines_add(struct lines *lines, const char *what, const char *kind, const char *was, const char *path)
{
    char line[TREE_PATH_BYTES + 64];
    snprintf(line, sizeof line, "%s %s %s %s", what, kind, was, path);
    if (lines->count < sizeof lines->lines / sizeof *lines->lines)
        lines->lines[lines->count++] = strdup(line);
}

void lines_clear(struct lines *lines)
{
    while (lines->count > 0)
        free(lines->lines[--lines->count]);
}

static int order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void show(const char *title, const struct lines *lines)
{
    fprintf(stderr, "%s:\n", title);
    for (unsigned at = 0; at < lines->count; at++)
        fprintf(stderr, "  %s\n", lines->lines[at]);
}

static int holds(const struct lines *lines, const char *line)
{
    for (unsigned at = 0; at < lines->count; at++)
        if (strcmp(lines->lines[at], line) == 0)
            return 1;
    return 0;
}

void lines_compare(struct lines *got, struct lines *wanted, const struct lines *allowed)
{
    unsigned next = 0;
    int same = 1;
    qsort(got->lines, got->count, sizeof *got->lines, order);
    qsort(wanted->lines, wanted->count, sizeof *wanted->lines, order);
    for (unsigned at = 0; at < got->count; at++) {
        if (next < wanted->count && strcmp(got->lines[at], wanted->lines[next]) == 0)
            next++;
        else if (!holds(allowed, got->lines[at]))
            same = 0;
    }
    if (same && next == wanted->count)
        return;
    show("listed", got);
    show("to be listed", wanted);
    show("may be listed", allowed);
    abort();
}
