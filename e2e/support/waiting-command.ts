/**
 * A command that says so when it has begun, and ends when the file `go` is there. It asks for the list of names: an
 * overlay remembers of a single name that it was not there.
 */
const WAITING =
  'echo ran >> runs.log; echo begun; until ls | grep -qx go; do sleep 0.02; done; echo finished';

export const bash = (command: string) => ({ name: 'bash', args: { command } });

/** A call that begins with `begun` and waits for the file `go`; each time it is run leaves a line in `runs.log`. */
export const waitingCommand = bash(WAITING);
