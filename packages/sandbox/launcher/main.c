/*
 * bulkhead-launcher: makes a box around itself and becomes the program in it. Nothing is optional: a step
 * that fails ends the launch with STATUS_NO_BOX before the program has run.
 */
#include <linux/resource.h>

#include "confine.h"
#include "describe.h"
#include "node-space.h"
#include "probe.h"
#include "session.h"
#include "settle.h"
#include "shell.h"
#include "tend.h"

static void set_limits(const struct options *options)
{
    unsigned long files = options->max_open_files ? (unsigned long)options->max_open_files : ~0UL;
    /* An agent can never reach the number again at which its program was held. */
    if (options->profile == PROFILE_AGENT && files > PROGRAM_DESCRIPTOR)
        files = PROGRAM_DESCRIPTOR;
    limit(RLIMIT_NOFILE, files, "limit open files");
    if (options->max_data_bytes)
        limit(RLIMIT_DATA, (unsigned long)options->max_data_bytes, "limit memory");
    if (options->max_processes)
        limit(RLIMIT_NPROC, (unsigned long)options->max_processes, "limit processes");
}

/* Closes the box around this process and becomes the program, or attacks it from inside. */
static int become_program(const struct options *options)
{
    const char *program = options->probe ? NULL : options->command[0];
    struct start start = hide_start(options->command);
    set_limits(options);
    drop_privileges(0);
    restrict_files(options, program);
    if (options->profile == PROFILE_AGENT)
        restrict_agent_calls(&start);
    else
        restrict_calls(options->profile);
    if (program == NULL)
        return probe_report(options);
    long result = kernel(execveat, PROGRAM_DESCRIPTOR, start.path, start.arguments, options->environment, AT_EMPTY_PATH);
    fail("start", options->command[0], result);
}

static int launch_node(const struct options *options)
{
    if (options->name_spaces)
        return launch_in_spaces(options, become_program);
    if (!options->probe)
        open_program(options->command[0]);
    return become_program(options);
}

int launcher_main(int argc, char **argv, char **envp)
{
    static struct options options;
    if (argc == 2 && text_equal(argv[1], "version")) {
        text_print(1, "bulkhead-launcher 1\n");
        return 0;
    }
    if (argc == 2 && text_equal(argv[1], "system-paths"))
        return describe_system_paths();
    if (argc == 2 && text_equal(argv[1], "shell-filter"))
        return describe_shell_filter();
    if (argc == 3 && text_equal(argv[1], "keep"))
        return session_keep(text_number(argv[2]));
    if (argc == 4 && text_equal(argv[1], "recover"))
        return settle_recover(argv[2], argv[3]);
    if (argc >= 3 && text_equal(argv[1], "measure"))
        return tend_measure(argc - 2, argv + 2);
    if (argc >= 3 && text_equal(argv[1], "remove"))
        return tend_remove(argc - 2, argv + 2);
    options_parse(&options, argc, argv, envp);
    if (options.probe)
        probe_controls(&options);
    close_descriptors(options.descriptors);
    die_with_parent(options.parent);
    kernel(setsid);
    return options.profile == PROFILE_SHELL ? launch_shell(&options) : launch_node(&options);
}
