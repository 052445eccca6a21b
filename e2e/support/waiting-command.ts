/**
 * A command that prints a line from its beginning on, and ends when the file `go` exists. It prints
 * the line again and again: the output of a command reaches those who watch at the time, and after
 * the end of an engine a client is back a little later than the command. It asks for the list of
 * names: an overlay remembers the absence of a single name.
 */
const WAITING =
  'echo ran >> runs.log; echo begun; until ls | grep -qx go; do sleep 0.05; echo begun; done; echo finished';

export const bash = (command: string) => ({ name: 'bash', args: { command } });

/** A call that says `begun` and waits for the file `go`; each time it is run leaves a line in `runs.log`. */
export const waitingCommand = bash(WAITING);
