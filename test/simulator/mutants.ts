/** A deliberately broken engine: one exact text of one source file is replaced. */
export interface Mutant {
  /** The broken behaviour. */
  readonly what: string;
  /** Path below the checkout. */
  readonly file: string;
  /** Must be in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

const INTENT = "this.#writer.append([note], { durable: intent.effect !== 'pure' });";

/** Engines that a simulation must find broken: a simulator that misses one proves nothing. */
export const mutants: Readonly<Record<string, Mutant>> = {
  'skip-intent': {
    what: 'an effect is not announced in the log [T8]',
    file: 'packages/runtime/src/run/run-journal.ts',
    find: INTENT,
    replace: 'void note;',
  },
  'lazy-intent': {
    what: 'an intent does not wait for the disk [FG4]',
    file: 'packages/runtime/src/run/run-journal.ts',
    find: INTENT,
    replace: 'this.#writer.append([note], { durable: false });',
  },
  'lossy-disk': {
    what: 'a power cut takes records that waited for the disk, and nobody compares the logs [S4]',
    file: 'test/simulator/simulated-disk.ts',
    find: 'this.#writes = this.#writes.slice(0, this.#safe);',
    replace: 'this.#writes = this.#writes.slice(0, Math.max(0, this.#safe - 2));',
  },
  'early-position': {
    what: 'the audit log says that a record is on the disk which is not there yet [S4]',
    file: 'packages/log/src/agreement/logged-audit.ts',
    find: 'store.flushedPos(input.session)',
    replace: 'store.flushedPos(input.session) + 1',
  },
  'rerun-once': {
    what: 'after a crash, an action that must not be repeated counts as not executed [T8]',
    file: 'packages/runtime/src/recovery/action-fate.ts',
    find: "intent.effect === 'pure'",
    replace: "intent.effect !== 'idempotent'",
  },
  'publish-before-append': {
    what: 'watchers hear of events before the store has them [T3]',
    file: 'packages/log/src/session/session-log.ts',
    find: `    const stored = this.#store.append(sessionId, records, options);
    const watched = this.#watchers.has(sessionId);`,
    replace: `    let early = this.#store.lastSeq(sessionId);
    for (const { visible, time, turn, type, body } of records) {
      if (!visible) continue;
      early += 1;
      this.#publish(sessionId, eventLine({ seq: early, time, session: sessionId, turn }, { ...body, type } as never));
    }
    const stored = this.#store.append(sessionId, records, options);
    const watched = false;`,
  },
  'drop-queue-on-retry': {
    what: 'messages that wait are forgotten when a model call is tried again [L8]',
    file: 'packages/runtime/src/run/next-attempt.ts',
    find: 'this.#journal.rewind();',
    replace: 'this.#journal.rewind(); this.#setting.takeSteers();',
  },
  'settle-twice': {
    what: 'a message has two ends [T6]',
    file: 'packages/runtime/src/run/end-of-run.ts',
    find: 'return events;',
    replace: 'return [...events, ...events.slice(-1)];',
  },
  'cancel-at-stop': {
    what: 'an orderly stop ends what runs as if a person had cancelled it [P8]',
    file: 'packages/runtime/src/session/sessions.ts',
    find: 'actor.suspend();',
    replace: "actor.cancel('');",
  },
  'count-stops': {
    what: 'orderly stops use up how often a run is taken up again [T8]',
    file: 'packages/runtime/src/recovery/interrupted-run.ts',
    find: "if (body.after !== 'stop') this.resumes += 1;",
    replace: 'this.resumes += 1;',
  },
  'keep-failed-message': {
    what: 'a failed run that did nothing leaves its message in the conversation [E4]',
    file: 'packages/runtime/src/run/run-journal.ts',
    find: 'undone ? { leaf: start } : {}',
    replace: '{}',
  },
  'no-session': {
    what: 'no session can be made, by a fault that no part of the simulated world has',
    file: 'packages/runtime/src/session/sessions.ts',
    find: 'const { log } = this.#services.context;\n    const records = this.firstRecords(folder, time);',
    replace: "throw new TypeError('a fault of the program');",
  },
};
