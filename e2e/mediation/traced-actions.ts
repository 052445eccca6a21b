import { type TracedCall, unquoted } from './traced-calls.ts';

/** An action as the audit log tells of it, and where in the trace the log did. */
export interface TracedAction {
  readonly id: string;
  readonly tool: string;
  /** Absolute. */
  readonly writes: readonly string[];
  readonly hosts: readonly string[];
  /** Of the token that was used up for it, as its `STARTED` names it; empty if it names none. */
  readonly nonce: string;
  /** The action of the command whose later changes this one keeps; empty of any other action. */
  readonly continues: string;
  /** Line on which the disk had its `STARTED`; infinite if it never did. */
  readonly started: number;
  /** Line of the trace that writes its end to the log; infinite if there is none. */
  readonly ended: number;
}

interface Line {
  readonly action: string;
  readonly step: string;
  readonly tool: string;
  readonly details: {
    readonly paths?: readonly string[];
    readonly hosts?: readonly string[];
    readonly nonce?: string;
    readonly continues?: string;
  };
}

/**
 * Reads the writes to the audit log from the system calls, instead of what the log holds
 * afterwards.
 */
export function tracedActions(calls: readonly TracedCall[]): ReadonlyMap<string, TracedAction> {
  const actions = new Map<string, TracedAction>();
  const log = /<(\/[^>]*\/audit-\d+\.jsonl)>/;
  const flushes = calls.filter(
    ({ name, args, result }) => /^f(data)?sync$/.test(name) && result === '0' && log.test(args),
  );
  for (const call of calls.filter(({ name, args }) => name === 'write' && log.test(args))) {
    const durable = flushes.find(({ begun }) => begun > call.ended)?.ended ?? Number.POSITIVE_INFINITY;
    for (const line of linesOf(call)) {
      if (line.action === '') continue;
      const known = actions.get(line.action) ?? newAction(line);
      actions.set(line.action, withStep(known, line, call, durable));
    }
  }
  return actions;
}

function linesOf({ args }: TracedCall): readonly Line[] {
  const [, text = ''] = /, "((?:[^"\\]|\\.)*)"/.exec(args) ?? [];
  return unquoted(text)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line));
}

function newAction({ action, tool }: Line): TracedAction {
  const never = Number.POSITIVE_INFINITY;
  return { id: action, tool, writes: [], hosts: [], nonce: '', continues: '', started: never, ended: never };
}

function withStep(action: TracedAction, line: Line, call: TracedCall, durable: number): TracedAction {
  const { paths = [], hosts = [], nonce = '', continues = '' } = line.details;
  if (line.step === 'PROPOSED') {
    const writes = paths
      .filter((path) => path.startsWith('write '))
      .map((path) => path.slice('write '.length));
    return { ...action, writes, hosts };
  }
  if (line.step === 'STARTED') return { ...action, nonce, continues, started: durable };
  return line.step === 'EXECUTED' || line.step === 'FAILED' ? { ...action, ended: call.begun } : action;
}
