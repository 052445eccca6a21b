#include "text.h"

size_t text_length(const char *text)
{
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

int text_equal(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

int text_is_below(const char *path, const char *folder)
{
    while (*folder != 0 && *path == *folder) {
        path++;
        folder++;
    }
    return *folder == 0 && (*path == 0 || *path == '/');
}

int text_passes(const char *path, const char *name)
{
    for (const char *at = path; *at != 0; at++)
        if ((at == path || at[-1] == '/') && text_is_below(at, name))
            return 1;
    return 0;
}

void text_append(char *buffer, size_t size, const char *text)
{
    size_t at = text_length(buffer);
    while (*text != 0 && at + 1 < size)
        buffer[at++] = *text++;
    buffer[at] = 0;
}

void text_append_number(char *buffer, size_t size, long number)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    unsigned long rest = number < 0 ? -(unsigned long)number : (unsigned long)number;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (number < 0)
        digits[--at] = '-';
    text_append(buffer, size, digits + at);
}

long text_number(const char *text)
{
    long number = 0;
    if (*text == 0)
        return -1;
    for (; *text != 0; text++) {
        if (*text < '0' || *text > '9' || number > 0x0ccccccccccccccb)
            return -1;
        number = number * 10 + (*text - '0');
    }
    return number;
}

void text_print(int fd, const char *text)
{
    kernel(write, fd, text, text_length(text));
}

void fail(const char *step, const char *subject, long result)
{
    char line[512] = "bulkhead-launcher: ";
    text_append(line, sizeof line, step);
    if (subject != NULL) {
        text_append(line, 400, " ");
        text_append(line, 400, subject);
    }
    if (result < 0) {
        text_append(line, sizeof line, ": errno ");
        text_append_number(line, sizeof line, -result);
    }
    for (char *at = line; *at != 0; at++)
        if (*at == '\n' || *at == '\r')
            *at = '?';
    text_append(line, sizeof line, "\n");
    text_print(2, line);
    kernel(exit_group, STATUS_NO_BOX);
    __builtin_unreachable();
}

long must(long result, const char *step, const char *subject)
{
    if (result < 0)
        fail(step, subject, result);
    return result;
}
