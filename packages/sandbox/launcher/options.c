#include "options.h"

enum value_kind { VALUE_PATH, VALUE_NUMBER, VALUE_LIST, VALUE_NUMBERED, VALUE_FLAG };

struct option {
    const char *name;
    enum value_kind kind;
    void *at;
    enum path_use use;
};

static const char *profile_names[] = {"agent", "worker", "shell"};

static const char *take_path(const char *name, const char *value)
{
    if (value == NULL || value[0] != '/')
        fail("absolute path expected after", name, 0);
    if (text_length(value) >= PATH_BYTES)
        fail("path too long after", name, 0);
    return value;
}

/* NUMBER:PATH */
static void take_numbered(struct named_path *named, const char *name, const char *value)
{
    char digits[24];
    size_t length = 0;
    while (value != NULL && value[length] != ':' && value[length] != 0 && length + 1 < sizeof digits) {
        digits[length] = value[length];
        length++;
    }
    digits[length] = 0;
    named->number = value != NULL && value[length] == ':' ? text_number(digits) : -1;
    if (named->number < 1)
        fail("number and path expected after", name, 0);
    named->path = take_path(name, value + length + 1);
}

static void take(struct options *options, const struct option *option, const char *value)
{
    if (option->kind == VALUE_LIST || option->kind == VALUE_NUMBERED) {
        if (options->path_count == MAX_PATHS)
            fail("too many paths at", option->name, 0);
        struct named_path *named = &options->paths[options->path_count++];
        named->use = option->use;
        if (option->kind == VALUE_NUMBERED)
            take_numbered(named, option->name, value);
        else
            named->path = take_path(option->name, value);
    } else if (option->kind == VALUE_NUMBER) {
        long number = value == NULL ? -1 : text_number(value);
        if (number < 1)
            fail("number expected after", option->name, 0);
        if (*(long *)option->at != 0)
            fail("given twice", option->name, 0);
        *(long *)option->at = number;
    } else if (option->kind == VALUE_PATH) {
        if (*(const char **)option->at != NULL)
            fail("given twice", option->name, 0);
        *(const char **)option->at = take_path(option->name, value);
    } else {
        *(int *)option->at = 1;
    }
}

static const struct option *find(const struct option *table, size_t count, const char *name)
{
    for (size_t index = 0; index < count; index++)
        if (text_equal(table[index].name, name))
            return &table[index];
    fail("unknown option", name, 0);
}

static int belongs(enum profile profile, enum path_use use)
{
    switch (use) {
    case USE_READ:
        return profile != PROFILE_SHELL;
    case USE_WRITE:
    case USE_EXECUTE:
        return profile == PROFILE_WORKER;
    default:
        return profile == PROFILE_SHELL;
    }
}

/* Which paths are hidden in which folder is then clear. */
static void check_neighbours(const struct options *options)
{
    size_t count = 0;
    for (size_t index = 0; index < options->path_count; index++) {
        const struct named_path *named = &options->paths[index];
        if (named->use != USE_NEIGHBOUR)
            continue;
        count++;
        if (count > MAX_NEIGHBOURS || text_equal(named->path, "/") || text_is_below(named->path, options->work))
            fail("cannot be shown beside the working folder:", named->path, 0);
        for (size_t other = 0; other < options->path_count; other++)
            if (other != index && options->paths[other].use == USE_NEIGHBOUR &&
                text_is_below(named->path, options->paths[other].path))
                fail("lies in another folder that is shown:", named->path, 0);
    }
}

static int in_neighbour(const struct options *options, const struct named_path *hidden)
{
    if (hidden->use == USE_PROTECT || hidden->use == USE_FILL)
        return 0;
    for (size_t index = 0; index < options->path_count; index++)
        if (options->paths[index].use == USE_NEIGHBOUR && text_is_below(hidden->path, options->paths[index].path))
            return !text_equal(hidden->path, options->paths[index].path);
    return 0;
}

static void check(const struct options *options)
{
    int shell = options->profile == PROFILE_SHELL;
    for (size_t index = 0; index < options->path_count; index++)
        if (!belongs(options->profile, options->paths[index].use))
            fail("option does not fit this box:", options->paths[index].path, 0);
    if (shell != (options->work != NULL) || shell != (options->home != NULL) || shell != (options->cwd != NULL))
        fail("--work, --home and --cwd belong to the shell box, all three", NULL, 0);
    if ((!shell && (options->home_from || options->temp_from)) || (!options->home_from && options->home_read_only))
        fail("--home-from and --temp-from belong to the shell box, --home-read-only to --home-from", NULL, 0);
    if (!shell && options->fill_from)
        fail("--fill-from belongs to the shell box", NULL, 0);
    if (options->leave && (options->overlay == NULL || !options->session))
        fail("--leave belongs to --overlay and --session", NULL, 0);
    if (options->background && (!options->leave || options->egress != NULL))
        fail("--background belongs to --leave, without --egress", NULL, 0);
    if (options->egress_number && (options->egress == NULL || (options->egress_number & 0xffff) < 1024 ||
                                   options->egress_number >> 16 < 2 || options->egress_number >> 16 > 0xfffffe))
        fail("--egress-number belongs to --egress, and takes an address and a port above 1023", NULL, 0);
    if (!shell && options->egress != NULL)
        fail("--egress belongs to the shell box", NULL, 0);
    if ((!shell && options->overlay != NULL) || (options->overlay == NULL && (options->min_free_bytes || options->copy)))
        fail("--overlay belongs to the shell box, --min-free-bytes and --copy to --overlay", NULL, 0);
    if (options->session && (!shell || options->probe || options->copy))
        fail("--session belongs to the shell box, without --copy", NULL, 0);
    if (options->session && (options->session < (options->overlay == NULL ? 3 : 4) || options->session > options->descriptors - 2))
        fail("--session takes the first of two descriptors that stay open", NULL, 0);
    if (options->overlay != NULL && text_is_below(options->overlay, options->work))
        fail("the scratch folder cannot lie inside the working folder:", options->overlay, 0);
    if (options->overlay != NULL && (options->probe || options->descriptors < 4))
        fail("--overlay needs descriptor 3, and no probe", NULL, 0);
    if (!shell && (options->max_file_bytes || options->max_cpu_seconds))
        fail("--max-file-bytes and --max-cpu-seconds belong to the shell box", NULL, 0);
    if (shell && options->name_spaces)
        fail("--name-spaces belongs to the other boxes", NULL, 0);
    if (shell && (text_equal(options->work, "/") || text_equal(options->work, options->home)))
        fail("working folder cannot be shown:", options->work, 0);
    for (size_t index = 0; shell && index < options->path_count; index++) {
        const struct named_path *named = &options->paths[index];
        if (named->use == USE_SHOW || named->use == USE_NEIGHBOUR)
            continue;
        if (named->use == USE_FILL && options->fill_from == NULL)
            fail("--fill belongs to --fill-from", NULL, 0);
        int inside = text_is_below(named->path, options->work) ? !text_equal(named->path, options->work)
                                                               : in_neighbour(options, named);
        if (!inside)
            fail("not inside the working folder:", named->path, 0);
    }
    if (shell)
        check_neighbours(options);
    if (options->descriptors < 3 || options->descriptors > 64)
        fail("--fds takes 3 to 64", NULL, 0);
    if (!options->probe && (options->command[0] == NULL || options->command[0][0] != '/'))
        fail("absolute path of the program expected after --", NULL, 0);
}

void options_parse(struct options *options, int argc, char **argv, char **envp)
{
    struct probe_targets *targets = &options->targets;
    const struct option table[] = {
        {"--parent", VALUE_NUMBER, &options->parent, 0},
        {"--fds", VALUE_NUMBER, &options->descriptors, 0},
        {"--read", VALUE_LIST, NULL, USE_READ},
        {"--write", VALUE_LIST, NULL, USE_WRITE},
        {"--execute", VALUE_LIST, NULL, USE_EXECUTE},
        {"--ro", VALUE_LIST, NULL, USE_SHOW},
        {"--neighbour", VALUE_NUMBERED, NULL, USE_NEIGHBOUR},
        {"--read-only-within", VALUE_LIST, NULL, USE_PROTECT},
        {"--hide", VALUE_LIST, NULL, USE_HIDE},
        {"--deny", VALUE_LIST, NULL, USE_DENY},
        {"--fill", VALUE_NUMBERED, NULL, USE_FILL},
        {"--fill-from", VALUE_PATH, &options->fill_from, 0},
        {"--work", VALUE_PATH, &options->work, 0},
        {"--home", VALUE_PATH, &options->home, 0},
        {"--home-from", VALUE_PATH, &options->home_from, 0},
        {"--home-read-only", VALUE_FLAG, &options->home_read_only, 0},
        {"--temp-from", VALUE_PATH, &options->temp_from, 0},
        {"--cwd", VALUE_PATH, &options->cwd, 0},
        {"--max-processes", VALUE_NUMBER, &options->max_processes, 0},
        {"--max-file-bytes", VALUE_NUMBER, &options->max_file_bytes, 0},
        {"--max-open-files", VALUE_NUMBER, &options->max_open_files, 0},
        {"--max-cpu-seconds", VALUE_NUMBER, &options->max_cpu_seconds, 0},
        {"--max-data-bytes", VALUE_NUMBER, &options->max_data_bytes, 0},
        {"--overlay", VALUE_PATH, &options->overlay, 0},
        {"--copy", VALUE_FLAG, &options->copy, 0},
        {"--egress", VALUE_PATH, &options->egress, 0},
        {"--min-free-bytes", VALUE_NUMBER, &options->min_free_bytes, 0},
        {"--leave", VALUE_FLAG, &options->leave, 0},
        {"--background", VALUE_FLAG, &options->background, 0},
        {"--egress-number", VALUE_NUMBER, &options->egress_number, 0},
        {"--session", VALUE_NUMBER, &options->session, 0},
        {"--name-spaces", VALUE_FLAG, &options->name_spaces, 0},
        {"--probe-secret", VALUE_PATH, &targets->secret, 0},
        {"--probe-closed", VALUE_PATH, &targets->closed, 0},
        {"--probe-file", VALUE_PATH, &targets->file, 0},
        {"--probe-folder", VALUE_PATH, &targets->folder, 0},
        {"--probe-program", VALUE_PATH, &targets->program, 0},
        {"--probe-allowed", VALUE_PATH, &targets->allowed, 0},
        {"--probe-hidden", VALUE_PATH, &targets->hidden, 0},
        {"--probe-denied", VALUE_PATH, &targets->denied, 0},
        {"--probe-protected", VALUE_PATH, &targets->protected, 0},
        {"--probe-port", VALUE_NUMBER, &targets->port, 0},
        {"--probe-foreign", VALUE_FLAG, &targets->foreign, 0},
    };
    int at = 3;
    if (argc < 4)
        fail("usage: run|probe agent|worker|shell OPTION... -- PROGRAM ARGUMENT...", NULL, 0);
    options->probe = text_equal(argv[1], "probe");
    if (!options->probe && !text_equal(argv[1], "run"))
        fail("unknown mode", argv[1], 0);
    for (options->profile = PROFILE_AGENT; !text_equal(argv[2], profile_names[options->profile]); options->profile++)
        if (options->profile == PROFILE_SHELL)
            fail("unknown box", argv[2], 0);
    for (; at < argc && !text_equal(argv[at], "--"); at++) {
        const struct option *option = find(table, sizeof table / sizeof *table, argv[at]);
        take(options, option, option->kind == VALUE_FLAG ? NULL : argv[++at]);
    }
    if (at >= argc)
        fail("-- expected after the options", NULL, 0);
    if (options->descriptors == 0)
        options->descriptors = 3;
    options->command = argv + at + 1;
    options->environment = envp;
    check(options);
}
