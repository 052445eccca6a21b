/*
 *   attack names                        every attempt: "deed NAME" or "call NAME BOXES"
 *   attack run KEY=VALUE... -- NAME...  tries them in this order; a line "NAME RESULT" for each
 *   attack mark NAME                    says "NAME 0": the proof that a program was started
 *   attack hold KEY=VALUE... --         the victim outside
 *   attack wait                         does nothing until it is ended
 *
 * Each attempt has a process of its own where the box lets one be made. Where it does not, an attempt that ends this
 * process leaves its line out, and the caller goes on after it.
 */
#include "attack.h"

#define KILLED_BASE 1000

struct field {
    const char *key;
    const char **text;
    long *number;
};

static char line[512];

void note(const char *text)
{
    text_append(line, sizeof line, " ");
    text_append(line, sizeof line, text);
}

const char *joined(const char *folder, const char *name)
{
    static char buffers[4][PATH_BYTES];
    static unsigned turn;
    char *buffer = buffers[turn++ % COUNT(buffers)];
    buffer[0] = 0;
    text_append(buffer, PATH_BYTES, folder == NULL ? "" : folder);
    text_append(buffer, PATH_BYTES, "/");
    text_append(buffer, PATH_BYTES, name);
    return buffer;
}

const char *in_proc(long process, const char *name)
{
    char number[32] = "/proc/";
    text_append_number(number, sizeof number, process);
    return joined(number, name);
}

static char *after_equals(char *argument, const char *key)
{
    while (*key != 0 && *argument == *key) {
        argument++;
        key++;
    }
    return *key == 0 && *argument == '=' ? argument + 1 : NULL;
}

static void take(struct world *world, char *argument)
{
    const struct field fields[] = {
        {"secret", &world->secret, NULL},           {"closed", &world->closed, NULL},
        {"link", &world->link, NULL},               {"work", &world->work, NULL},
        {"hidden", &world->hidden, NULL},           {"protected", &world->protected, NULL},
        {"denied", &world->denied, NULL},
        {"beside", &world->beside, NULL},
        {"home", &world->home, NULL},               {"other-file", &world->other_file, NULL},
        {"socket", &world->socket, NULL},           {"datagram", &world->datagram, NULL},
        {"work-socket", &world->work_socket, NULL}, {"abstract", &world->abstract, NULL},
        {"program", &world->program, NULL},         {"self", &world->self, NULL},
        {"loader", &world->loader, NULL},           {"script", &world->script, NULL},
        {"queue", &world->queue, NULL},             {"tcp4", NULL, &world->tcp4},
        {"tcp6", NULL, &world->tcp6},               {"udp4", NULL, &world->udp4},
        {"udp6", NULL, &world->udp6},               {"parent", NULL, &world->parent},
        {"other", NULL, &world->other},             {"segment-key", NULL, &world->segment_key},
        {"max-processes", NULL, &world->max_processes},
    };
    char *value = after_equals(argument, "known");
    if (value != NULL && world->known_count < MAX_KNOWN_PATHS) {
        world->known[world->known_count++] = value;
        return;
    }
    for (size_t index = 0; index < COUNT(fields); index++) {
        value = after_equals(argument, fields[index].key);
        if (value != NULL && fields[index].text != NULL)
            *fields[index].text = value;
        else if (value != NULL)
            *fields[index].number = text_number(value);
        if (value != NULL)
            return;
    }
    fail("unknown target", argument, 0);
}

static const struct attempt *find_deed(const char *name)
{
    const struct {
        const struct attempt *list;
        size_t count;
    } tables[] = {
        {read_attempts, read_attempt_count},       {process_read_attempts, process_read_attempt_count},
        {write_attempts, write_attempt_count},     {inside_attempts, inside_attempt_count},
        {socket_attempts, socket_attempt_count},   {process_attempts, process_attempt_count},
        {program_attempts, program_attempt_count}, {memory_attempts, memory_attempt_count},
        {foreign_attempts, foreign_attempt_count},
    };
    for (size_t table = 0; table < COUNT(tables); table++)
        for (size_t index = 0; index < tables[table].count; index++) {
            if (name == NULL) {
                text_print(1, "deed ");
                text_print(1, tables[table].list[index].name);
                text_print(1, "\n");
            } else if (text_equal(tables[table].list[index].name, name)) {
                return &tables[table].list[index];
            }
        }
    return NULL;
}

static const struct refused_call *find_call(const char *name)
{
    for (size_t index = 0; index < refused_call_count; index++) {
        if (name == NULL) {
            char text[64] = "call ";
            text_append(text, sizeof text, refused_calls[index].name);
            text_append(text, sizeof text, " ");
            text_append_number(text, sizeof text, (long)refused_calls[index].boxes);
            text_append(text, sizeof text, "\n");
            text_print(1, text);
        } else if (text_equal(refused_calls[index].name, name)) {
            return &refused_calls[index];
        }
    }
    return NULL;
}

static long attempt(const char *name, const struct world *world)
{
    const struct attempt *deed = find_deed(name);
    if (deed != NULL)
        return deed->run(world);
    const struct refused_call *call = find_call(name);
    if (call == NULL)
        fail("unknown attempt", name, 0);
    const int *with = call->arguments;
    return kernel6(call->number, with[0], with[1], with[2], with[3], with[4], 0);
}

static void say(const char *name, long result)
{
    char text[640] = "";
    text_append(text, sizeof text, name);
    text_append(text, sizeof text, " ");
    text_append_number(text, sizeof text, result);
    text_append(text, sizeof text, line);
    text_append(text, sizeof text, "\n");
    text_print(1, text);
}

/* A child that is killed says nothing itself: its end is the result. */
static void try_one(const char *name, const struct world *world)
{
    int status = 0;
    line[0] = 0;
    /* What follows on stderr is the loot of this attempt. */
    text_print(2, "\n@@");
    text_print(2, name);
    text_print(2, "\n");
    long child = kernel(clone, SIGCHLD_, 0, 0, 0, 0);
    if (child > 0) {
        if (kernel(wait4, child, &status, 0x40000000, NULL) == child && (status & 0x7f) != 0)
            say(name, KILLED_BASE + (status & 0x7f));
        return;
    }
    say(name, attempt(name, world));
    if (child == 0)
        kernel(exit_group, 0);
}

int launcher_main(int argc, char **argv, char **envp)
{
    static struct world world;
    world.environment = envp;
    if (argc == 2 && text_equal(argv[1], "names")) {
        find_deed(NULL);
        find_call(NULL);
        return 0;
    }
    if (argc == 3 && text_equal(argv[1], "mark")) {
        line[0] = 0;
        say(argv[2], 0);
        return 0;
    }
    if (argc == 2 && text_equal(argv[1], "wait"))
        for (;;)
            kernel(ppoll, NULL, 0, NULL, NULL, 8);
    int at = 2;
    for (; at < argc && !text_equal(argv[at], "--"); at++)
        take(&world, argv[at]);
    if (argc >= 2 && text_equal(argv[1], "hold"))
        return hold(&world);
    if (argc < 3 || !text_equal(argv[1], "run"))
        fail("usage: attack names | run KEY=VALUE... -- NAME... | mark NAME | hold | wait", NULL, 0);
    for (at++; at < argc; at++)
        try_one(argv[at], &world);
    return 0;
}
