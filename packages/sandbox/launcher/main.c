/*
 * bulkhead-launcher: makes a box around itself and becomes the program in it. Nothing is optional: a step
 * that fails ends the launch with STATUS_NO_BOX before the program has run.
 */
#include <linux/resource.h>

#include "confine.h"
#include "probe.h"
#include "settle.h"
#include "shell.h"

static void start_program(const struct options *options)
{
    long result = kernel(execveat, PROGRAM_DESCRIPTOR, "", options->command, options->environment, AT_EMPTY_PATH);
    fail("start", options->command[0], result);
}

static int launch_node(const struct options *options)
{
    const char *program = options->probe ? NULL : options->command[0];
    if (program != NULL)
        open_program(program);
    if (options->profile == PROFILE_AGENT)
        limit(RLIMIT_NOFILE, PROGRAM_DESCRIPTOR, "limit open files");
    drop_privileges();
    restrict_files(options, program);
    restrict_calls(options->profile);
    if (program != NULL)
        start_program(options);
    return probe_report(options);
}

int launcher_main(int argc, char **argv, char **envp)
{
    static struct options options;
    if (argc == 2 && text_equal(argv[1], "version")) {
        text_print(1, "bulkhead-launcher 1\n");
        return 0;
    }
    if (argc == 4 && text_equal(argv[1], "recover"))
        return settle_recover(argv[2], argv[3]);
    options_parse(&options, argc, argv, envp);
    if (options.probe)
        probe_controls(&options);
    close_descriptors(options.descriptors);
    die_with_parent(options.parent);
    kernel(setsid);
    return options.profile == PROFILE_SHELL ? launch_shell(&options) : launch_node(&options);
}
