import { HELP } from './answer-text.ts';
import { appendTask, editTask, runTask, writeTask } from './change-tasks.ts';
import type { Intent } from './intent.ts';
import { countFilesTask, countTask, listTask, rankTask, readTask } from './look-tasks.ts';
import type { ToolOutcome } from './run-view.ts';
import { findTask, searchTask } from './search-tasks.ts';
import { done, type Talk, type Task, type ToolWish } from './task.ts';

const EXAMPLES =
  'Being rules and no language model, I only know a few kinds of requests, for example "list the files here", "read README.md", "search for TODO in src" or "run `npm test`". Say "help" for all of them.';

/**
 * Carries out requests in order and returns the paragraphs of the answer. Stops at the first
 * failure, because later ones may depend on it.
 */
export function* carryOut(
  intents: readonly Intent[],
  talk: Talk,
): Generator<ToolWish, readonly string[], ToolOutcome> {
  const sections: string[] = [];
  for (const [index, intent] of intents.entries()) {
    const end = yield* task(intent, talk);
    sections.push(end.text);
    const left = intents.length - index - 1;
    if (!end.ok && left > 0) {
      sections.push(
        `I stopped there and left out the rest of your request (${left === 1 ? 'one wish' : `${left} wishes`}).`,
      );
      break;
    }
  }
  return sections;
}

function task(intent: Intent, talk: Talk): Task {
  switch (intent.kind) {
    case 'list':
      return listTask(intent, talk);
    case 'rank':
      return rankTask(intent, talk);
    case 'count-files':
      return countFilesTask(intent, talk);
    case 'read':
      return readTask(intent, talk);
    case 'count':
      return countTask(intent, talk);
    case 'write':
      return writeTask(intent, talk);
    case 'append':
      return appendTask(intent, talk);
    case 'edit':
      return editTask(intent, talk);
    case 'run':
      return runTask(intent);
    case 'find':
      return findTask(intent, talk);
    case 'search':
      return searchTask(intent, talk);
    default:
      return wordsOnly(intent);
  }
}

// biome-ignore lint/correctness/useYield: a task that needs no tool is still a task
function* wordsOnly(intent: Extract<Intent, { kind: 'greet' | 'help' | 'say' | 'unknown' }>): Task {
  switch (intent.kind) {
    case 'greet':
      return done(
        'Hi! I can list, read, search, write, edit and run things for you. Say "help" for examples.',
      );
    case 'help':
      return done(HELP);
    case 'say':
      return done(intent.text);
    case 'unknown':
      return done(
        intent.text === ''
          ? `I was asked nothing. ${EXAMPLES}`
          : `I don't understand "${clipped(intent.text)}". ${EXAMPLES}`,
      );
  }
}

function clipped(text: string): string {
  const characters = [...text];
  return characters.length > 200 ? `${characters.slice(0, 200).join('')}…` : text;
}
