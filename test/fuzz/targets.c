/* What is fuzzed: each target takes bytes from outside to one parser, and checks what it promises. */
#include "targets.h"

#include <linux/elf.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/confine.h"
#include "launcher/options.h"
#include "launcher/plan.h"
#include "launcher/text.h"

#define MAX_ARGUMENTS 2200
#define INTERPRETER_BYTES 256

static void promise(int holds)
{
    if (!holds)
        abort();
}

static void check_options(const struct options *options)
{
    promise(options->profile <= PROFILE_SHELL);
    promise(options->path_count <= MAX_PATHS);
    promise(options->descriptors >= 3 && options->descriptors <= 64);
    for (size_t index = 0; index < options->path_count; index++)
        promise(options->paths[index].path[0] == '/' && strlen(options->paths[index].path) < PATH_BYTES);
    promise(options->probe || (options->command[0] != NULL && options->command[0][0] == '/'));
    promise((options->profile == PROFILE_SHELL) == (options->work != NULL));
    promise((options->profile == PROFILE_SHELL) == (options->cwd != NULL));
}

/* Arguments are separated by line ends. */
static void fuzz_options(const char *input, size_t size)
{
    static struct options options;
    static char *arguments[MAX_ARGUMENTS + 1];
    static char *environment[] = {NULL};
    char *text = malloc(size + 1);
    int count = 0;
    memcpy(text, input, size);
    text[size] = 0;
    memset(&options, 0, sizeof options);
    for (char *at = text; at != NULL && count < MAX_ARGUMENTS;) {
        arguments[count++] = at;
        at = strchr(at, '\n');
        if (at != NULL)
            *at++ = 0;
    }
    arguments[count] = NULL;
    if (fuzz_returns()) {
        options_parse(&options, count, arguments, environment);
        check_options(&options);
    }
    free(text);
}

/* A program file; its reader asks for it piece by piece. */
static void fuzz_program(const char *input, size_t size)
{
    char *buffer = malloc(INTERPRETER_BYTES);
    fuzz_file(input, size);
    if (fuzz_returns()) {
        read_interpreter(3, "/program", buffer, INTERPRETER_BYTES);
        promise(memchr(buffer, 0, INTERPRETER_BYTES) != NULL);
    }
    free(buffer);
}

static void fuzz_text(const char *input, size_t size)
{
    char *text = malloc(size + 1);
    char *small = malloc(16);
    memcpy(text, input, size);
    text[size] = 0;
    const char *second = memchr(text, '\n', size);
    second = second == NULL ? text + size : second + 1;
    promise(text_length(text) == strlen(text));
    promise(text_equal(text, second) == (strcmp(text, second) == 0));
    long number = text_number(text);
    promise(number >= -1);
    small[0] = 0;
    text_append(small, 16, text);
    text_append(small, 16, second);
    promise(strlen(small) < 16);
    small[0] = 0;
    text_append_number(small, 16, number);
    promise(strlen(small) < 16);
    if (text_is_below(text, second))
        promise(strncmp(text, second, strlen(second)) == 0);
    free(text);
    free(small);
}

static void check_path(const char *path)
{
    promise(path[0] != 0 && strlen(path) < PATH_BYTES);
    for (const char *at = path; at != NULL; at = strchr(at, '/')) {
        at += *at == '/';
        size_t length = strcspn(at, "/");
        promise(length > 0 && !(length == 1 && at[0] == '.') && !(length == 2 && at[0] == '.' && at[1] == '.'));
    }
}

/* What the file system of the folders is when the journal is read. */
enum { DEVICE = 0x801 };

/* A journal that a crash left, or that somebody wrote. What it names lies in the working folder, by plain names. */
static void fuzz_journal(const char *input, size_t size)
{
    struct plan plan;
    enum mark mark = PLANNED;
    uint32_t count = 0;
    fuzz_file(input, size);
    long result = plan_read(&plan, 3, DEVICE, &mark);
    promise(result >= 0 || mark != COMMITTED);
    if (result < 0)
        return;
    for (const struct step *step = plan.first; step != NULL; step = step->next) {
        promise(step->motion <= SET);
        promise(step->next == NULL || step->next->previous == step);
        check_path(step->path);
        count++;
    }
    promise(count == plan.count);
}

const struct target targets[] = {
    {"options", fuzz_options},
    {"program", fuzz_program},
    {"text", fuzz_text},
    {"journal", fuzz_journal},
};

const size_t target_count = sizeof targets / sizeof *targets;
