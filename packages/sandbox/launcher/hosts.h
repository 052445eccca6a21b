/* Names of this machine's file resolve as outside; the box's own name is its own address. */
#ifndef BULKHEAD_HOSTS_H
#define BULKHEAD_HOSTS_H

/* Before the root changes: keeps the machine's names. */
void hosts_read(void);
/* After it: writes them into the box. */
void hosts_write(void);

#endif
