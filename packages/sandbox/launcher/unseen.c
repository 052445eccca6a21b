#include "unseen.h"

#include "tell.h"
#include "text.h"

#define MOST 20U

static struct {
    char code[32];
    char path[PATH_BYTES];
} messages[MOST + 2]; /* The others, and the last. */
static unsigned count;
static unsigned told;
static int heard;
static int closed;

static void say(void)
{
    for (; heard && told < count; told++)
        tell("unseen", messages[told].code, messages[told].path);
    tell_flush();
}

static void add(const char *code, const char *path)
{
    text_append(messages[count].code, sizeof messages[count].code, code);
    text_append(messages[count].path, sizeof messages[count].path, path);
    count++;
    say();
}

void unseen(const char *code, const char *path)
{
    if (closed)
        return;
    if (count < MOST)
        add(code, path);
    else if (count == MOST)
        add("others", "");
}

void unseen_because(long error, const char *path)
{
    char code[32] = "errno-";
    text_append_number(code, sizeof code, -error);
    unseen(code, path);
}

void unseen_at_last(const char *code)
{
    if (!closed)
        add(code, "");
    closed = 1;
}

void unseen_speak(void)
{
    heard = 1;
    say();
}
