import { fenced } from './answer-text.ts';
import type { Intent } from './intent.ts';
import type { ToolOutcome } from './run-view.ts';
import { done, failed, type Talk, type Task, type TaskEnd } from './task.ts';

type IntentOf<K extends Intent['kind']> = Extract<Intent, { kind: K }>;

export function* findTask(intent: IntentOf<'find'>, talk: Talk): Task {
  const path = intent.path ?? talk.folder;
  const args = { pattern: intent.pattern, path };
  const outcome = yield { tool: 'find', args, say: `I look for files named ${intent.pattern}.` };
  if (outcome.isError) return failed(`look for ${intent.pattern}`, outcome);
  const [first, ...others] = paths(outcome);
  if (first !== undefined && others.length === 0) talk.file = first;
  return answer(`Files named ${intent.pattern}`, `No file is named ${intent.pattern}`, outcome);
}

export function* searchTask(intent: IntentOf<'search'>, talk: Talk): Task {
  const path = intent.path ?? talk.folder;
  const args = { pattern: intent.pattern, path };
  const outcome = yield { tool: 'grep', args, say: `I search for ${intent.pattern}.` };
  if (outcome.isError) return failed(`search for ${intent.pattern}`, outcome);
  return answer(`Lines with ${intent.pattern}`, `No line has ${intent.pattern}`, outcome);
}

function answer(some: string, none: string, outcome: ToolOutcome): TaskEnd {
  return done(paths(outcome).length === 0 ? `${none}.` : `${some}:\n${fenced(outcome.text)}`);
}

function paths(outcome: ToolOutcome): readonly string[] {
  const lines = outcome.text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('['));
  return lines.length === 1 && /^no (?:files? match|matches)/i.test(lines[0] ?? '') ? [] : lines;
}
