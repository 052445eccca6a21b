/**
 * A command that says so from its beginning on, and ends when the file `go` is there. It says so again and again: what a
 * command says is told to those who watch at the time, and after the end of an engine a client is back a little later
 * than the command. It asks for the list of names: an overlay remembers of a single name that it was not there.
 */
const WAITING =
  'echo ran >> runs.log; echo begun; until ls | grep -qx go; do sleep 0.05; echo begun; done; echo finished';

export const bash = (command: string) => ({ name: 'bash', args: { command } });

/** A call that says `begun` and waits for the file `go`; each time it is run leaves a line in `runs.log`. */
export const waitingCommand = bash(WAITING);
