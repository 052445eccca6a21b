#include "tell.h"

#include "text.h"

#define BUFFER_BYTES 32768

static const char *const what_names[] = {"created", "changed", "metadata", "deleted", "replaced"};
static const char *const kind_names[] = {"missing", "file", "folder", "link", "other", "other"};

/* Records on their way to `fd`, each ended by NUL. */
struct teller {
    int fd;
    size_t used;
    char buffer[BUFFER_BYTES];
};

static struct teller teller;

void tell_to(int fd)
{
    teller.fd = fd;
}

void tell_flush(void)
{
    for (size_t at = 0; at < teller.used;) {
        long written = kernel(write, teller.fd, teller.buffer + at, teller.used - at);
        if (written == -EINTR_)
            continue;
        /* Nobody listens: nobody will say commit either. */
        if (written < 0)
            break;
        at += (size_t)written;
    }
    teller.used = 0;
}

static void put(const char *text)
{
    for (; *text != 0; text++) {
        if (teller.used == BUFFER_BYTES)
            tell_flush();
        teller.buffer[teller.used++] = *text;
    }
}

static void put_number(long number)
{
    char digits[24] = "";
    text_append_number(digits, sizeof digits, number);
    put(digits);
    put(" ");
}

static void put_owner(const struct object *object)
{
    char numbers[48] = "";
    text_append_number(numbers, sizeof numbers, object->owner);
    text_append(numbers, sizeof numbers, ":");
    text_append_number(numbers, sizeof numbers, object->group);
    text_append(numbers, sizeof numbers, " ");
    put(numbers);
}

static void end_record(void)
{
    if (teller.used == BUFFER_BYTES)
        tell_flush();
    teller.buffer[teller.used++] = 0;
}

void tell(const char *word, const char *code, const char *path)
{
    put(word);
    if (code != NULL) {
        put(" ");
        put(code);
    }
    if (path != NULL) {
        put(" ");
        put(path);
    }
    end_record();
}

void tell_number(const char *word, long number)
{
    char digits[24] = "";
    text_append_number(digits, sizeof digits, number);
    tell(word, digits, NULL);
}

void tell_change(const struct change *change, const char *target)
{
    put("change ");
    put(what_names[change->what]);
    put(" ");
    put(kind_names[change->now.kind]);
    put(" ");
    put(kind_names[change->was.kind]);
    put(" ");
    put_number(change->now.mode);
    put_number(change->was.mode);
    put_number((long)change->now.size);
    put_number((long)change->was.size);
    put_number(change->was.links);
    put_owner(&change->now);
    put_owner(&change->was);
    put(change->path);
    end_record();
    if (target != NULL)
        tell("target", target, NULL);
}

void tell_problem(const char *code, const char *path)
{
    tell("problem", code, path);
}

void tell_note(const char *code, const char *path)
{
    tell("note", code, path);
}

void tell_failure(long error, const char *path)
{
    char code[24] = "";
    text_append_number(code, sizeof code, -error);
    tell("failed", code, path == NULL ? "." : path);
}
