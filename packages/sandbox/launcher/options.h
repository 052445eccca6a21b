/*
 * The command line.
 *
 *   bulkhead-launcher run   agent|worker|shell OPTION... -- PROGRAM ARGUMENT...
 *   bulkhead-launcher probe agent|worker|shell OPTION... --
 *   bulkhead-launcher keep PARENT              makes the name spaces of a session (session.h)
 *   bulkhead-launcher recover WORK SCRATCH     finishes what a crash left of a command on an overlay
 *   bulkhead-launcher measure | remove PATH...    a private home, without following links (tend.h)
 *   bulkhead-launcher system-paths | shell-filter     what the shell box is made of (describe.h)
 *   bulkhead-launcher version
 *
 * All boxes
 *   --parent PID            die when this process, which must be the parent, dies
 *   --fds N                 descriptors 0 to N-1 stay open, all others are closed (default 3)
 * agent, worker
 *   --read PATH             file or folder it may read
 *   --name-spaces           name spaces of its own as well, in which only what is named exists
 *   --max-data-bytes N  --max-processes N  --max-open-files N
 * worker
 *   --write PATH            file or folder it may read and change; no link in PATH
 *   --execute PATH          program file it may start
 * shell
 *   --work PATH             working folder, shown read-write; no link in PATH
 *   --home PATH             an empty private folder appears here
 *   --home-from PATH        this folder appears there instead, read-write; no link in PATH
 *   --home-read-only        with --home-from: read-only
 *   --temp-from PATH        its folders tmp, var-tmp and shm appear as /tmp, /var/tmp and /dev/shm, which are else
 *                           empty; no link in PATH
 *   --cwd PATH              where the program starts, as seen inside; no link in PATH
 *   --ro PATH               shown read-only at its own path
 *   --neighbour INODE:PATH  the folder of that number is shown read-only at its own path, outside the working folder or
 *                           around it, not in another one; no link in PATH, no file system mounted in it
 *   --fill-from PATH        folder with files named 1, 2, …; it is to be shown by --ro
 *   --fill N:PATH           path in the working folder, shown read-only with the content of file N; no link in PATH, and not missing
 *   --read-only-within PATH existing path in the working folder, made read-only
 *   --hide PATH             path in the working folder, shown empty; skipped if missing. Or in a neighbour, and not missing
 *   --deny PATH             the same, but a file can't be opened: nobody takes it for one that is empty
 *   --max-processes N  --max-file-bytes N  --max-open-files N  --max-cpu-seconds N  --max-data-bytes N
 *   --overlay PATH          empty folder on the working folder's file system: the command works on a copy of the
 *                           working folder that is kept or thrown away by what is said on descriptor 3 (settle.h)
 *   --copy                  with --overlay: on a copy of its own, where the kernel can make no overlay (clone.h)
 *   --egress PATH           socket of a proxy: 127.0.0.1:3128 in the box leads to it, and nothing else leads out
 *   --leave                 with --overlay and --session: processes that the command leaves go on after it
 *   --background            with --leave: goes on from its start, as if it had left itself; its changes wait (later.h)
 *   --egress-number N       the way out is elsewhere, beside those of other commands of the session: port N % 65536, and the
 *                           rest of N are the last three bytes of an address in 127.0.0.0/8
 *   --session N             the descriptors N and N+1 are a session's user and network name space, which the box shares; not with
 *                           --copy. Without --overlay, no unix socket can be made in a box that
 *                           has this, --temp-from or --home-from
 *   --min-free-bytes N      with --overlay: the command is stopped when its file system has less room
 * probe only: what the attacks aim at
 *   --probe-secret PATH     file outside the box that the caller can read and change
 *   --probe-closed PATH     folder outside the box that the caller can write
 *   --probe-file PATH       file that the box lets it read
 *   --probe-folder PATH     folder that the box lets it change (worker, shell)
 *   --probe-program PATH    copy of this program that the box must not start
 *   --probe-allowed PATH    this program at a path that the box lets it start (worker, shell)
 *   --probe-port N          TCP listener on 127.0.0.1
 *   --probe-hidden PATH     one of the hidden files (shell)
 *   --probe-denied PATH     one of the denied files (shell)
 *   --probe-protected PATH  one of the protected folders (shell)
 *   --probe-foreign         after the probes, call the kernel as a 32-bit program: must be killed (x86_64)
 *
 * PATHs are absolute. A link in a PATH that must have none fails the launch; in others links are followed.
 * Options may be repeated where they name a list; all lists together are limited.
 */
#ifndef BULKHEAD_OPTIONS_H
#define BULKHEAD_OPTIONS_H

#include "text.h"

#define MAX_PATHS 1024
#define MAX_NEIGHBOURS 16

enum profile { PROFILE_AGENT, PROFILE_WORKER, PROFILE_SHELL };

enum path_use { USE_READ, USE_WRITE, USE_EXECUTE, USE_SHOW, USE_NEIGHBOUR, USE_PROTECT, USE_HIDE, USE_DENY, USE_FILL };

struct named_path {
    enum path_use use;
    const char *path;
    /* Of a neighbour: the number of its inode. Of a path that is filled: that of the file. */
    long number;
};

struct probe_targets {
    const char *secret;
    const char *closed;
    const char *file;
    const char *folder;
    const char *program;
    const char *allowed;
    const char *hidden;
    const char *denied;
    const char *protected;
    long port;
    int foreign;
};

struct options {
    int probe;
    enum profile profile;
    long parent;
    long descriptors;
    const char *work;
    const char *home;
    const char *home_from;
    int home_read_only;
    const char *temp_from;
    const char *cwd;
    const char *fill_from;
    long max_processes;
    long max_file_bytes;
    long max_open_files;
    long max_cpu_seconds;
    long max_data_bytes;
    const char *overlay;
    int copy;
    int background;
    const char *egress;
    long min_free_bytes;
    int leave;
    long egress_number;
    long session;
    int name_spaces;
    struct probe_targets targets;
    size_t path_count;
    struct named_path paths[MAX_PATHS];
    /* NULL-terminated; empty in a probe. */
    char **command;
    char **environment;
};

/* Fills `options`, or fails: nothing unknown, doubled or contradictory is let through. */
void options_parse(struct options *options, int argc, char **argv, char **envp);

#endif
