import { branchEntries } from '@bulkhead/client';
import type { TreeEntry } from '@bulkhead/protocol/client';
import { itemsOf, type TranscriptView, treeRows } from '@bulkhead/protocol/transcript';
import type { Choice } from '../panels/picker.ts';
import type { UiActions } from './ui-actions.ts';
import type { UiCommand } from './ui-options.ts';

/** The known part of a session's tree. */
interface Tree {
  readonly sessionId: string;
  /** Parents first, of all branches; without the part before the first. */
  readonly entries: readonly TreeEntry[];
  /** The conversation's current entry; empty before the first one. */
  readonly leaf: string;
  /** True if earlier entries exist. */
  readonly more: boolean;
}

/**
 * `/tree`, Esc twice: all branches by entry, to move or fork there, or to undo an action's changes.
 */
export function treeCommand(ui: UiActions): UiCommand {
  return {
    name: 'tree',
    about: 'show all branches; go to an entry, fork, undo',
    run: async (_argument, { sessionId }) => {
      const tree = await readMore(ui, { sessionId, entries: [], leaf: '', more: false });
      if (tree.entries.length === 0) return ui.say('no messages yet');
      show(ui, tree);
    },
  };
}

/** Adds one earlier page, not all: a session may hold any number of entries. */
async function readMore(ui: UiActions, { sessionId, entries }: Tree): Promise<Tree> {
  const request = { sessionId, before: entries[0]?.entryId ?? '' };
  const page = await ui.options.link.repeat(
    (client) => client.call('readTree', request, ui.signal),
    ui.signal,
  );
  return { sessionId, entries: [...page.entries, ...entries], leaf: page.leaf, more: page.more };
}

/** @param start the entry highlighted first; absent, the current one */
function show(ui: UiActions, tree: Tree, start?: string): void {
  const { choices, here } = treeChoices(tree.entries, tree.more);
  const at = start === undefined ? here : choices.findIndex(({ value }) => value === start);
  const hereId = choices[here]?.value;
  ui.pick({
    title: 'Go to',
    choices,
    start: at < 0 ? choices.length - 1 : at,
    keys: [
      {
        key: 'ctrl+f',
        about: 'forks',
        run: ({ value }) => (value === EARLIER ? undefined : fork(ui, tree, value)),
      },
      {
        key: 'ctrl+u',
        about: 'undoes',
        run: ({ value }) => (value === EARLIER ? undefined : undo(ui, tree, value)),
      },
    ],
    onPick: async ({ value }) => {
      if (value === EARLIER) show(ui, await readMore(ui, tree), tree.entries[0]?.entryId);
      else if (value !== hereId) await go(ui, tree, value);
    },
  });
}

async function fork(ui: UiActions, { sessionId }: Tree, entryId: string): Promise<void> {
  await ui.open(
    await ui.options.link.once(
      async (client) => (await client.call('forkSession', { sessionId, entryId })).sessionId,
    ),
  );
}

/** Moves back to an entry of this branch; another branch continues at its end. */
async function go(ui: UiActions, { sessionId, entries, leaf }: Tree, entryId: string): Promise<void> {
  const entry = entries.find((one) => one.entryId === entryId);
  if (entry === undefined) return;
  const toEnd = !entry.current;
  await ui.options.link.once((client) => client.call('moveLeaf', { sessionId, entryId, toEnd }));
  const words = wordsOf(entry).trim();
  const what = toEnd
    ? `the conversation continues at the end of the branch of "${words}"; the model sees only that branch`
    : `the conversation continues from "${words}"; the model does not see later messages`;
  ui.say(`${what}. Undo with: bulkhead sessions move ${sessionId} ${leaf === '' ? 'start' : leaf}`);
}

/** For a tool's entry, its action's changes; for any other, the last answer's changes. */
async function undo(ui: UiActions, { sessionId, entries }: Tree, entryId: string): Promise<void> {
  const isAction = entries.some((entry) => entry.entryId === entryId && entry.kind === 'tool');
  if (!isAction) return ui.runCommand('undo', '');
  const call = await callOf(ui, sessionId, entryId);
  const action = call === undefined ? undefined : actionOf(ui.view, call);
  if (action === undefined) return ui.say('that entry has no action to undo');
  await ui.runCommand('undo', action);
}

/** The call that a tool's entry answers. */
async function callOf(ui: UiActions, sessionId: string, entryId: string): Promise<string | undefined> {
  let call: string | undefined;
  await ui.options.link.once(async (client) => {
    for await (const { message } of branchEntries(client, { sessionId, entryId }, ui.signal)) {
      call = message?.role.case === 'tool' ? message.role.value.callId : undefined;
    }
  });
  return call;
}

function actionOf(view: TranscriptView, call: string): string | undefined {
  for (const item of itemsOf(view.items)) if (item.kind === 'tool' && item.call === call) return item.action;
  return undefined;
}

/** The choice for the part before the first entry; no entry's id is empty. */
const EARLIER = '';
/** Limit of indented branches. */
const DEEPEST = 8;

/** A session's branches, as places to move to or to fork from. */
interface TreeChoices {
  readonly choices: readonly Choice[];
  /** Index of the conversation's current entry, or the nearest one above it; -1 if not listed. */
  readonly here: number;
}

/**
 * @param entries parents first, of all branches
 * @param more true if earlier entries exist
 */
function treeChoices(entries: readonly TreeEntry[], more: boolean): TreeChoices {
  const rows = treeRows(entries, 'all');
  const at = rows.findLastIndex(({ entry }) => entry.current);
  const choices = rows.map(({ entry, depth }, index) => ({
    value: entry.entryId,
    label: `${entry.current ? '●' : '○'} ${'  '.repeat(Math.min(depth, DEEPEST))}${wordsOf(entry)}`,
    about: [...(index === at ? ['here'] : []), ...(entry.label === '' ? [] : [entry.label])].join(' · '),
  }));
  if (!more) return { choices, here: at };
  return {
    choices: [{ value: EARLIER, label: '⋯ earlier messages' }, ...choices],
    here: at < 0 ? -1 : at + 1,
  };
}

/** The text of an entry, and its author. */
function wordsOf({ kind, text }: TreeEntry): string {
  switch (kind) {
    case 'user':
      return `you: ${text}`;
    case 'assistant':
      return `  bulkhead: ${text}`;
    case 'tool':
      return `    ${text.replace(' ', ': ')}`;
    default:
      return `· ${kind}: ${text}`;
  }
}
