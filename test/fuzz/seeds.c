#include "targets.h"

#define TEXT(target, text) {target, text, sizeof text - 1}

#define FOUR(text) text text text text
/* As many paths as the launcher takes, and one more. */
#define TOO_MANY_PATHS FOUR(FOUR(FOUR(FOUR(FOUR("--read\n/a\n"))))) "--read\n/a\n"

enum { OPTIONS, PROGRAM, TEXTS, JOURNAL };

/* The smallest program header table with an interpreter: 64 bytes of header, 56 of entry, 8 of name. */
static const char program[128] = {
    0x7f, 'E', 'L', 'F', 2, 1, 1, [16] = 2, [18] = 62, [20] = 1, [32] = 64, [52] = 64, [54] = 56, [56] = 1,
    /* entry: PT_INTERP, at 120, 8 bytes */
    [64] = 3, [68] = 4, [72] = 120, [96] = 8, [104] = 8, [120] = '/', 'l', 'i', 'b', '/', 'l', 'd', 0,
};

/* A journal of two steps, as plan.c writes it: header of 16 bytes, then records of 16 bytes and two objects, and a path. */
#define OBJECT_BYTES 72
#define RECORD_BYTES (16 + 2 * OBJECT_BYTES)
static const char journal[16 + 2 * RECORD_BYTES + 4] = {
    'B', 'L', 'K', 'D', 'J', '0', '1', 0, [8] = 1, [12] = 2,
    [16] = 1, [24] = 1, [16 + RECORD_BYTES] = 'a',
    [17 + RECORD_BYTES] = 2, [25 + RECORD_BYTES] = 3, [17 + 2 * RECORD_BYTES] = 'b', '/', 'c',
};

static const struct seed list[] = {
    TEXT(OPTIONS, "launcher\nrun\nagent\n--parent\n12\n--fds\n4\n--read\n/a\n--\n/bin/node\nscript"),
    TEXT(OPTIONS, "launcher\nrun\nworker\n--read\n/a\n--write\n/b\n--execute\n/c\n--\n/bin/node"),
    TEXT(OPTIONS, "launcher\nrun\nshell\n--work\n/w\n--home\n/h\n--cwd\n/w/a\n--ro\n/r\n--read-only-within\n/w/p\n"
                  "--hide\n/w/h\n--max-processes\n5\n--max-file-bytes\n6\n--max-open-files\n7\n--\n/bin/bash"),
    TEXT(OPTIONS, "launcher\nprobe\nshell\n--work\n/w\n--home\n/h\n--cwd\n/w\n--probe-secret\n/s\n--probe-port\n9\n"
                  "--probe-foreign\n--"),
    TEXT(OPTIONS, "launcher\nrun\nagent\n" TOO_MANY_PATHS "--\n/bin/node"),
    {PROGRAM, program, sizeof program},
    TEXT(TEXTS, "9223372036854775807\n/a/b"),
    TEXT(TEXTS, "/a/b/c\n/a/b"),
    {JOURNAL, journal, sizeof journal},
};

size_t seeds(const struct seed **to)
{
    *to = list;
    return sizeof list / sizeof *list;
}
