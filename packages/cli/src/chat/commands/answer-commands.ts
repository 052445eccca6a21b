import type { EngineLink } from '@bulkhead/client';
import type { RollBackResponse } from '@bulkhead/protocol/client';
import { isModelName } from '../../conversation/model-name.ts';
import { conflictLines, lastingLines, limitLines, restoredLines } from '../../conversation/rollback-lines.ts';
import { sayWhile } from '../../conversation/rollback-progress.ts';
import { newestUndoable } from '../../conversation/undoable.ts';
import { yesOrNo } from '../../conversation/yes-or-no.ts';
import type { Output } from '../../output/output.ts';
import { type ChatCommand, firstWord } from './chat-command.ts';
import { printCost } from './session-facts.ts';

/** Most paths that `/undo` lists. */
const SHOWN_PATHS = 20;

export const undoCommand: ChatCommand = {
  name: 'undo',
  about: 'undo the changes of the last answer in the folder; asks first',
  run: (_argument, { link, sessionId, output, ask, signal }) =>
    undoAnswer({ link, session: sessionId, output, ask, signal }),
};

export const costCommand: ChatCommand = {
  name: 'cost',
  about: 'show the tokens and cost of this session',
  run: (_argument, { link, sessionId, output, signal }) =>
    link.repeat((client) => printCost(client, sessionId, output), signal),
};

export const modelCommand: ChatCommand = {
  name: 'model',
  argument: '[PROVIDER/MODEL]',
  about: 'show the model, or choose another one for the next messages',
  run: (argument, { model, output }) => {
    const name = firstWord(argument);
    if (name !== '' && !isModelName(name)) {
      const mistake = `/model needs PROVIDER/MODEL, as in offline/rules, not "${name}"`;
      return output.line(output.safeLine(mistake));
    }
    if (name !== '') model.override = name;
    return output.line(`model: ${output.safe(model.name)}`);
  },
};

export const thinkingCommand: ChatCommand = {
  name: 'thinking',
  about: "show or hide the model's thinking",
  run: (_argument, { view, output }) => {
    view.showThinking = !view.showThinking;
    output.line(`thinking is ${view.showThinking ? 'shown' : 'hidden'}`);
  },
};

/**
 * `/undo`: shows the changes of the last answer that made any, asks, and undoes them as a whole.
 */
async function undoAnswer(options: {
  readonly link: EngineLink;
  readonly session: string;
  readonly output: Output;
  /**
   * Returns undefined for a withdrawn question. Absent if no one can answer: then the changes are
   * only shown.
   */
  readonly ask: ((question: string) => Promise<string | undefined>) | undefined;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { link, session, output, ask, signal } = options;
  const last = await link.once((client) => newestUndoable(client, { session }, signal));
  if (last === undefined) return output.line('nothing to undo in this session');
  const request = { id: last.id, turn: true, skipConflicts: false };
  const work = (dryRun: boolean, what: string) =>
    sayWhile(
      link.once((client) => client.call('rollBack', { ...request, dryRun })),
      what,
      (line) => output.line(line),
    );
  const planned = await work(true, 'looking up the changes to undo');
  const isRefused = planned.conflicts.length > 0;
  const comesBack = [...fewLines(restoredLines(planned, output)), ...limitLines(planned, output)];
  for (const line of lastingLines(planned, output)) output.line(line);
  for (const line of isRefused ? conflictLines(planned, output) : comesBack) output.line(line);
  const command = `bulkhead chronicle rollback ${output.safe(last.id)} --turn`;
  if (!isRefused && planned.restored.length > SHOWN_PATHS)
    output.line(`  all of them: bulkhead chronicle diff ${output.safe(last.id)}`);
  if (isRefused)
    return output.line(`nothing was restored; restore the rest with: ${command} --skip-conflicts`);
  if (planned.restored.length === 0) return output.line('nothing to restore: all is as it was');
  if (ask === undefined) return output.line(`there is no terminal to ask on; use: ${command}`);
  const question = `  restore ${objects(planned.restored.length)} in ${output.safeLine(planned.folder)}? [y/N] `;
  if (yesOrNo((await ask(question)) ?? '') !== true) return output.line('nothing was restored');
  tell(await work(false, `restoring ${objects(planned.restored.length)}`), output);
}

/** The first paths, and how many more there are. */
function fewLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= SHOWN_PATHS) return lines;
  return [...lines.slice(0, SHOWN_PATHS), `  … and ${lines.length - SHOWN_PATHS} more`];
}

function tell(report: RollBackResponse, output: Output): void {
  for (const line of conflictLines(report, output)) output.line(line);
  const again = `bulkhead chronicle rollback ${output.safe(report.id)}`;
  const done = `${objects(report.restored.length)} restored; undo that with: ${again}`;
  output.line(report.done ? done : 'nothing was restored');
}

function objects(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`;
}
