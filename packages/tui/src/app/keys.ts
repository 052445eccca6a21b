import type { KeyId } from '@earendil-works/pi-tui';
import { matchesKey } from '../library/first-parts.ts';

export type KeyAction =
  | 'interrupt'
  | 'cancel'
  | 'leave'
  | 'suspend'
  | 'take-back'
  | 'thinking'
  | 'expand'
  | 'sessions'
  | 'model'
  | 'tree';

interface KeyRow {
  readonly key: KeyId;
  readonly action: KeyAction;
  readonly shown: string;
  readonly about: string;
}

/** Keys of the screen, beside those of the prompt. */
export const KEYS: readonly KeyRow[] = [
  {
    key: 'escape',
    action: 'cancel',
    shown: 'Esc',
    about: 'interrupt the run; when idle, twice: show the tree',
  },
  {
    key: 'ctrl+c',
    action: 'interrupt',
    shown: 'Ctrl-C',
    about: 'close a list, clear the line, or interrupt the run; when idle, twice: exit',
  },
  { key: 'ctrl+d', action: 'leave', shown: 'Ctrl-D', about: 'exit, on an empty line' },
  { key: 'ctrl+z', action: 'suspend', shown: 'Ctrl-Z', about: 'suspend to the shell; `fg` returns' },
  { key: 'alt+up', action: 'take-back', shown: 'Alt-Up', about: 'edit the last queued message' },
  { key: 'ctrl+t', action: 'thinking', shown: 'Ctrl-T', about: 'show or hide thinking' },
  { key: 'ctrl+o', action: 'expand', shown: 'Ctrl-O', about: 'expand or collapse results and diffs' },
  { key: 'ctrl+r', action: 'sessions', shown: 'Ctrl-R', about: 'switch to another session' },
  { key: 'ctrl+l', action: 'model', shown: 'Ctrl-L', about: 'choose the model' },
];

/** The prompt's keys, for help. */
export const PROMPT_KEYS: readonly (readonly [shown: string, about: string])[] = [
  ['Enter', 'send; during a run, the message joins it at its next step'],
  ['Alt-Enter', 'send after the run'],
  ['Shift-Enter', 'a new line (Ctrl-J, or \\ and Enter, does too)'],
  ['Up, Down', 'earlier messages'],
  ['@', 'name a file; an image is attached to the message'],
  ['/', 'a command or a template; Tab completes'],
];

export function actionOf(data: string): KeyAction | undefined {
  return KEYS.find(({ key }) => matchesKey(data, key))?.action;
}
