/* What every box takes away, step by step. Each function completes or fails the launch. */
#ifndef BULKHEAD_CONFINE_H
#define BULKHEAD_CONFINE_H

#include <linux/capability.h>

#include "options.h"

/* Descriptor that holds the program of an agent or worker box until it is started. */
#define PROGRAM_DESCRIPTOR 512

/* Closes every descriptor from `count` on. */
void close_descriptors(long count);
/* SIGKILL when the parent dies. `parent` 0: no wish. Fails if the parent is another process already. */
void die_with_parent(long parent);
/* Soft and hard limit; never above the hard limit that holds. */
void limit(int resource, unsigned long value, const char *step);
/* No memory of what is in the box reaches a disk by a core dump. */
void limit_core_files(void);
/*
 * What root needs to work with files of other users, and to become one: all that a box keeps of root's rights, and only where it
 * maps all users. None of them reaches a mount, a device, a process or the network. Set-user bits (FSETID) are not among them.
 */
#define FILE_CAPABILITIES                                                                             \
    (1U << CAP_CHOWN | 1U << CAP_DAC_OVERRIDE | 1U << CAP_FOWNER | 1U << CAP_SETGID | 1U << CAP_SETUID)
/* No core files, no new privileges, and no capability but `kept` now or after any exec, root or not. */
void drop_privileges(uint32_t kept);
/* From now on none at all, in this process. */
void drop_kept(void);

/*
 * Opens `path` read-only at PROGRAM_DESCRIPTOR, close-on-exec. A box in which no descriptor may reach
 * that number again can tell this one program apart by it.
 */
void open_program(const char *path);
/*
 * How the program is started: the name and the arguments that the call passes, at addresses that nobody can guess and
 * that are gone once it has started. A filter that asks for both lets that one call through and no other.
 */
struct start {
    const char *path;
    char **arguments;
};
struct start hide_start(char **arguments);
/* Writes the ELF interpreter's path that the open file names into `buffer`; an empty string if it has none. */
void read_interpreter(int fd, const char *path, char *buffer, size_t size);

/* Landlock rules from the options' paths and `program` (NULL: none), for agent and worker. */
void restrict_files(const struct options *options, const char *program);
/* The kernel's version of Landlock, or its refusal. */
long landlock_version(void);
/* True if the kernel keeps signals inside the box by itself. */
int landlock_confines_signals(void);

/* The system call filter of the box; the last step before the program starts. */
void restrict_calls(enum profile profile);
/* In addition: no unix socket but those of socketpair, so that no descriptor can be passed out of the box. */
void restrict_unix_sockets(void);
/* Instead, for the processes that help a shell box: those that rename, replay and refresh: what each needs, and nothing else. */
void restrict_renaming(void);
void restrict_replaying(void);
void restrict_refreshing(void);
/* The same for the agent's box, in which `start` may happen once. */
void restrict_agent_calls(const struct start *start);

#endif
