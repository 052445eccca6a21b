#include "nested.h"

#include "text.h"

static int octal(const char *text)
{
    return (text[0] - '0') * 64 + (text[1] - '0') * 8 + (text[2] - '0');
}

/* The fifth field of a line of mountinfo, with its escapes taken out. */
static void mount_point_of(const char *line, char *point, size_t size)
{
    size_t length = 0;
    for (int field = 0; field < 4; line++) {
        if (*line == 0)
            break;
        field += *line == ' ';
    }
    for (; *line != 0 && *line != ' ' && length + 1 < size; line++) {
        if (line[0] == '\\' && line[1] >= '0' && line[1] <= '3' && line[2] != 0 && line[3] != 0) {
            point[length++] = (char)octal(line + 1);
            line += 3;
        } else {
            point[length++] = *line;
        }
    }
    point[length] = 0;
}

static void refuse_mount(const char *line, const char *folder, const char *except, const char *said)
{
    char point[PATH_BYTES];
    mount_point_of(line, point, sizeof point);
    if (except != NULL && text_is_below(point, except))
        return;
    if (text_is_below(point, folder) && !text_equal(point, folder))
        fail(said, point, 0);
}

void refuse_nested_mounts(const char *folder, const char *except, const char *said)
{
    static char line[3 * PATH_BYTES];
    char block[4096];
    size_t length = 0;
    long fd = must(kernel(openat, AT_FDCWD, "/proc/self/mountinfo", O_RDONLY_ | O_CLOEXEC_), "read", "mountinfo");
    for (;;) {
        long got = must(kernel(read, fd, block, sizeof block), "read", "mountinfo");
        if (got == 0)
            break;
        for (long at = 0; at < got; at++) {
            if (block[at] != '\n') {
                if (length + 1 < sizeof line)
                    line[length++] = block[at];
                continue;
            }
            line[length] = 0;
            refuse_mount(line, folder, except, said);
            length = 0;
        }
    }
    kernel(close, fd);
}
