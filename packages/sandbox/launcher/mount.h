/*
 * Single mounts, by descriptor. A source is taken from the host's tree as a detached copy before the root
 * changes and attached afterwards, so no path is resolved twice.
 */
#ifndef BULKHEAD_MOUNT_H
#define BULKHEAD_MOUNT_H

#include "text.h"

#define MOUNT_READ_ONLY 1U
#define MOUNT_WRITABLE 0U
/* Devices stay usable; else they are dead. */
#define MOUNT_DEVICES 2U
/* Nothing on it can be started or mapped as code. */
#define MOUNT_NO_PROGRAMS 4U

/* What may be followed on the way to a mount point. */
enum links { LINKS_FOLLOWED, LINKS_REFUSED };

/* A detached copy of the tree at `path` below `folder` (AT_FDCWD), never with set-user programs. */
int mount_copy(int folder, const char *path, unsigned flags, const char *step);
/* Opens a mount point without touching it; the kernel's answer. */
long mount_point(const char *path, enum links links);
/* Attaches `copy` at `point` and closes both. */
void mount_attach(int copy, int point, const char *path);
/* The same, but `copy` stays open: paths below it then lead through what is mounted there. */
void mount_attach_open(int copy, int point, const char *path);
/* An empty temporary file system at `path`, which exists. `options` as for tmpfs. */
void mount_empty(const char *path, const char *options);
/* A read-only empty folder, detached. */
int mount_nothing(void);
/* True if something is mounted at the open `point`. */
int mount_is_root(int point);
/* True if `fd` is a folder. */
int is_folder(int fd, const char *path);
/* Makes a folder and those above it. `mode` for the last. */
void make_folders(const char *path, int mode);
/* Makes an empty file, and the folders above it. */
void make_file(const char *path);

#endif
