import type { BranchEntry } from '@bulkhead/protocol/client';
import { itemsFrom, type TranscriptView } from '@bulkhead/protocol/transcript';
import { callOf, treeChoices } from './tree-choices.ts';
import type { UiActions } from './ui-actions.ts';
import type { UiCommand } from './ui-options.ts';

/** `/tree`, Esc twice: the conversation by entry, to go back to one, to fork there, or to undo what an action changed. */
export function treeCommand(ui: UiActions): UiCommand {
  return {
    name: 'tree',
    about: 'the conversation by entry: go back, fork, undo',
    run: async (_argument, { signal, sessionId }) => {
      const entries: BranchEntry[] = [];
      await ui.options.link.once(async (client) => {
        for await (const entry of client.readBranch({ sessionId }, signal)) entries.push(entry);
      });
      if (entries.length === 0) return ui.say('nothing was said yet');
      ui.pick({
        title: 'Go back to',
        choices: treeChoices(entries),
        start: entries.length - 1,
        keys: [
          { key: 'ctrl+f', about: 'forks', run: ({ value }) => fork(ui, sessionId, value) },
          { key: 'ctrl+u', about: 'undoes', run: ({ value }) => undo(ui, entries, value) },
        ],
        onPick: ({ value }) => goBack(ui, sessionId, entries, value),
      });
    },
  };
}

async function fork(ui: UiActions, sessionId: string, entryId: string): Promise<void> {
  await ui.open(await ui.options.link.once((client) => client.forkSession({ sessionId, entryId })));
}

async function goBack(
  ui: UiActions,
  sessionId: string,
  entries: readonly BranchEntry[],
  entryId: string,
): Promise<void> {
  const leaf = entries.at(-1)?.entryId ?? '';
  if (entryId === leaf) return;
  await ui.options.link.once((client) => client.moveLeaf({ sessionId, entryId }));
  const [choice] = treeChoices(entries.filter((entry) => entry.entryId === entryId));
  ui.say(
    `the conversation goes on from "${choice?.label.trim() ?? entryId}": the model does not see what came after it. Back with: bulkhead sessions move ${sessionId} ${leaf}`,
  );
}

/** Of a tool's entry, what its action changed; of any other, what the last answer changed. */
async function undo(ui: UiActions, entries: readonly BranchEntry[], entryId: string): Promise<void> {
  const call = callOf(entries, entryId);
  if (call === undefined) return ui.runCommand('undo', '');
  const action = actionOf(ui.view, call);
  if (action === undefined) return ui.say('no action of that entry is known here');
  await ui.runCommand('undo', action);
}

function actionOf(view: TranscriptView, call: string): string | undefined {
  for (const item of itemsFrom(view.items))
    if (item.kind === 'tool' && item.call === call) return item.action;
  return undefined;
}
