import { existsSync } from 'node:fs';
import { type HomeLayout, systemClock } from '@bulkhead/protocol';
import type { NewRecord } from '@bulkhead/sessions';
import pino from 'pino';
import { type Logs, openLogs } from '../agreement/open-logs.ts';

/** A record that the audit log names, and the position it has in the log of its session. */
export interface NamedRecord {
  readonly session: string;
  readonly pos: number;
  /** As a person reads it. */
  readonly name: string;
}

/** A record without a meaning. */
export function plain(value: string): NewRecord {
  return { time: 1, turn: '', type: 'rewound', visible: false, body: { to: value } };
}

function accepted(messageId: string): NewRecord {
  return {
    time: 1,
    turn: '',
    type: 'input_accepted',
    visible: false,
    body: { content: '', options: {} },
    messageId,
  };
}

/** A message and an action, in the order in which the engine writes them. */
export async function work(
  { store, audit }: Logs,
  session: string,
  id: string,
): Promise<readonly NamedRecord[]> {
  const [message] = store.append(session, [accepted(id)]);
  const pos = message?.pos ?? 0;
  const about = { action: '', hash: '', session, tool: '' };
  await audit.append([{ ...about, step: 'ACCEPTED', details: { message: id, pos } }]);
  const [intent] = store.append(session, [plain('intent')]);
  const action = { ...about, action: `do-${id}`, hash: `h-${id}`, tool: 'bash' };
  await audit.append([
    { ...action, step: 'PROPOSED', details: { paths: ['write /w/x'] } },
    { ...action, step: 'STARTED', details: { nonce: id, effect: 'once', likeness: id } },
  ]);
  return [
    { session, pos, name: `message ${id}` },
    { session, pos: intent?.pos ?? 0, name: `action do-${id}` },
  ];
}

/** Opens the logs of a home as an engine does. */
export async function openLogsOf(layout: HomeLayout): Promise<AsyncDisposable & { readonly logs: Logs }> {
  const stack = new AsyncDisposableStack();
  const logger = pino({ level: 'silent' });
  const parts = { layout, clock: systemClock, witnessing: {}, logger, mustExist: true, areCopies: false };
  const isNew = !existsSync(layout.database);
  try {
    const beforeDurable = (): void => {};
    const logs = await openLogs({ ...parts, mustExist: !isNew, beforeDurable }, stack);
    return { logs, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
