import { fenced } from './answer-text.ts';
import { parseFileText } from './file-text.ts';
import type { Intent } from './intent.ts';
import { done, failed, type Talk, type Task, WHICH_FILE } from './task.ts';

type IntentOf<K extends Intent['kind']> = Extract<Intent, { kind: K }>;

export function* writeTask(intent: IntentOf<'write'>, talk: Talk): Task {
  const { path, content } = intent;
  talk.file = path;
  const outcome = yield { tool: 'write', args: { path, content }, say: `I write ${path}.` };
  return outcome.isError ? failed(`write ${path}`, outcome) : done(`I wrote ${path}: ${outcome.text.trim()}`);
}

export function* appendTask(intent: IntentOf<'append'>, talk: Talk): Task {
  const path = intent.path ?? talk.file;
  if (path === undefined) return WHICH_FILE;
  talk.file = path;
  const before = yield { tool: 'read', args: { path }, say: `I read ${path}.` };
  if (before.isError) return failed(`read ${path}`, before);
  const text = parseFileText(before.text);
  if (!text.complete || text.instead !== undefined) {
    return {
      text: `I only append to text files short enough to read at once, and ${path} is not.`,
      ok: false,
    };
  }
  const content = `${[...text.lines, intent.content].join('\n')}\n`;
  const outcome = yield { tool: 'write', args: { path, content }, say: `I write ${path}.` };
  return outcome.isError ? failed(`write ${path}`, outcome) : done(`I added a line to ${path}.`);
}

export function* editTask(intent: IntentOf<'edit'>, talk: Talk): Task {
  const path = intent.path ?? talk.file;
  if (path === undefined) return WHICH_FILE;
  talk.file = path;
  const args = { path, old_text: intent.oldText, new_text: intent.newText };
  const outcome = yield { tool: 'edit', args, say: `I edit ${path}.` };
  return outcome.isError
    ? failed(`edit ${path}`, outcome)
    : done(`I changed ${path}: ${outcome.text.trim()}`);
}

export function* runTask(intent: IntentOf<'run'>): Task {
  const { command } = intent;
  const outcome = yield { tool: 'bash', args: { command }, say: `I run the command.` };
  const output = outcome.text.trim() === '' ? 'It printed nothing.' : `It printed:\n${fenced(outcome.text)}`;
  return outcome.isError
    ? { text: `The command did not succeed: ${command}\n${fenced(outcome.text)}`, ok: false }
    : done(`I ran: ${command}\n${output}`);
}
