import { inertLine, PRODUCT_VERSION } from '@bulkhead/protocol';
import { cut, wrap } from '../look/fit.ts';
import type { Look } from '../look/look.ts';

/** Hints for a person who sees this screen for the first time. */
const FIRST_VISIT = [
  'Type a task and press Enter. Bulkhead asks before any action that your policy does not decide.',
  'Ctrl-C stops it, /undo undoes its changes, /help lists all commands.',
];

/** The first lines of the screen. @param folder absolute; working folder of new sessions */
export function headerLines(
  { folder, help }: { readonly folder: string; readonly help: boolean },
  { style }: Look,
  width: number,
): string[] {
  const name = `${style.bold(style.accent('Bulkhead'))} ${style.dim(`${PRODUCT_VERSION} · ${inertLine(folder)}`)}`;
  const visit = help ? ['', ...FIRST_VISIT.flatMap((line) => wrap(line, width))] : [];
  return [cut(name, width), ...visit, ''];
}
