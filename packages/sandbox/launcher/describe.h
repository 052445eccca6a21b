/* What the shell box is made of, for another program that can make its name spaces where this one may not. */
#ifndef BULKHEAD_DESCRIBE_H
#define BULKHEAD_DESCRIBE_H

/* Prints the system paths that a shell box shows, each ended by NUL. The exit status. */
int describe_system_paths(void);
/* Prints the shell box's system call filter as the kernel takes it: an array of struct sock_filter. */
int describe_shell_filter(void);

#endif
