/* What changes in the working folder while a command goes on, told by the kernel: by commits, file tools and the person. */
#ifndef BULKHEAD_NEWS_H
#define BULKHEAD_NEWS_H

#include "kernel.h"

/* Receives a path at which something may have changed; folders come before what lies in them. */
typedef void (*news_listener)(const char *path);

/*
 * Watches the folder with all below it. The descriptor to wait at, or -errno. `missed` is called with the path of a folder that is
 * not watched: a folder is too deep, can't be opened, or is one too many; and with NULL if the kernel had too much to tell.
 */
long news_begin(int work, news_listener changed, void (*missed)(const char *path, long error));
/* Takes all that has been told by now. */
void news_read(void);

#endif
