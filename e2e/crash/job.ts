import type { SeededRandom } from '@bulkhead/testkit/simulation';

/** One thing that the model will ask for. Its token names it everywhere: call, file, ledger. */
export interface Step {
  readonly tool: 'write' | 'edit' | 'bash' | 'read';
  readonly token: string;
}

/** The work that one message makes the model do: a list of rounds, each with its calls. */
export interface Job {
  readonly id: string;
  readonly rounds: readonly (readonly Step[])[];
}

/** File to which every `bash` of a session appends its token. */
export const LEDGER = 'ledger.txt';

/** A call that the model makes again after a result with an unknown outcome. */
const AGAIN = '_again';

/** @param only the one tool that is called; without it, all are */
export function createJob(id: string, random: SeededRandom, rounds: number, only?: Step['tool']): Job {
  let count = 0;
  const step = (): Step => {
    const tool = only ?? random.weighted({ write: 4, edit: 4, bash: 4, read: 1 });
    count += 1;
    return { tool, token: `${id}s${count}` };
  };
  return {
    id,
    rounds: Array.from({ length: rounds }, () => Array.from({ length: random.between(1, 3) }, step)),
  };
}

/** The call as a model makes it. Its id tells the oracle which step it was for. */
export function callOf({ tool, token }: Step, again = false) {
  return { id: again ? `${token}${AGAIN}` : token, name: tool, args: argumentsOf(tool, token) };
}

/** The token that a call's id was made from. */
export function tokenOf(callId: string): string {
  return callId.endsWith(AGAIN) ? callId.slice(0, -AGAIN.length) : callId;
}

export function isAgain(callId: string): boolean {
  return callId.endsWith(AGAIN);
}

/** The file that a step changes. */
export function fileOf({ tool, token }: Step): string {
  return `${tool}-${token}.txt`;
}

/** Folder with a file in it that a command makes, besides its line in the ledger. */
export function madeBy(token: string): string {
  return `made-${token}/by.txt`;
}

/** A file that is there before a command, and not after it. */
export function removedBy(token: string): string {
  return `removed-${token}.txt`;
}

/** Content of the file of an `edit` before it. */
export function textBefore(token: string): string {
  return `old ${token}\n`;
}

export function textAfter(token: string): string {
  return `new ${token}\n`;
}

function argumentsOf(tool: Step['tool'], token: string): object {
  const path = fileOf({ tool, token });
  if (tool === 'write') return { path, content: textAfter(token) };
  if (tool === 'edit') return { path, old_text: 'old', new_text: 'new' };
  if (tool === 'read') return { path: 'notes.txt' };
  const changes = [
    `echo ${token} >> ${LEDGER}`,
    `mkdir made-${token} && echo ${token} > ${madeBy(token)}`,
    `rm ${removedBy(token)}`,
  ];
  return { command: ['sleep 0.05', ...changes, 'sleep 0.05'].join('; ') };
}
