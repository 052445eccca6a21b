import { inertLine, PRODUCT_VERSION } from '@bulkhead/protocol';
import { cut, wrap } from '../look/fit.ts';
import type { Look } from '../look/look.ts';

/** Hints for a person who sees this screen for the first time. */
const FIRST_VISIT = [
  'Say what you want done, and press Enter. You are asked before anything your policy leaves open.',
  'Ctrl-C stops it, /undo takes back what it changed, /help lists what else there is.',
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
