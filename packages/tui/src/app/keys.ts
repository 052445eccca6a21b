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
  { key: 'escape', action: 'cancel', shown: 'Esc', about: 'interrupt the run; at rest, twice: the tree' },
  {
    key: 'ctrl+c',
    action: 'interrupt',
    shown: 'Ctrl-C',
    about: 'close a list, clear the line, or interrupt the run; at rest, twice: leave',
  },
  { key: 'ctrl+d', action: 'leave', shown: 'Ctrl-D', about: 'leave, with an empty line' },
  { key: 'ctrl+z', action: 'suspend', shown: 'Ctrl-Z', about: 'back to the shell; `fg` comes back here' },
  { key: 'alt+up', action: 'take-back', shown: 'Alt-Up', about: 'edit the last message that waits' },
  { key: 'ctrl+t', action: 'thinking', shown: 'Ctrl-T', about: 'show or hide thinking' },
  { key: 'ctrl+o', action: 'expand', shown: 'Ctrl-O', about: 'show all of results and diffs, or less' },
  { key: 'ctrl+r', action: 'sessions', shown: 'Ctrl-R', about: 'go on with another session' },
  { key: 'ctrl+l', action: 'model', shown: 'Ctrl-L', about: 'choose the model' },
];

/** The prompt's keys, for help. */
export const PROMPT_KEYS: readonly (readonly [shown: string, about: string])[] = [
  ['Enter', 'send; while a run goes on, it joins it at its next step'],
  ['Alt-Enter', 'send after the run'],
  ['Shift-Enter', 'a new line (Ctrl-J, or \\ and Enter, does too)'],
  ['Up, Down', 'what was sent before'],
  ['@', 'the name of a file; an image goes with the message'],
  ['/', 'a command or a template; Tab completes'],
];

export function actionOf(data: string): KeyAction | undefined {
  return KEYS.find(({ key }) => matchesKey(data, key))?.action;
}
