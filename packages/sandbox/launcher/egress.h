/*
 * The way out of a shell box that was granted hosts: a port of the box's own loopback, carried to the socket of the engine's
 * egress proxy. It judges nothing; the proxy does, and any process of the box may reach that socket as well.
 */
#ifndef BULKHEAD_EGRESS_H
#define BULKHEAD_EGRESS_H

/* Where the proxy's socket is shown in the box, and the port beside it. */
#define EGRESS_SOCKET "/run/bulkhead/egress.sock"
#define EGRESS_PORT 3128

/*
 * Listens on the loopback, for a `number` at the address and port that it says, and starts a process that carries. Inside the box, after its rights are gone. The
 * number of the group of processes that it is.
 */
long egress_start(long number);

#endif
