import type { SelectListTheme } from '@earendil-works/pi-tui';
import type { Style } from './style.ts';

/** @param style called for each line, because the person may choose another theme */
export function selectTheme(style: () => Style): SelectListTheme {
  return {
    selectedPrefix: (text) => style().accent(text),
    selectedText: (text) => style().accent(text),
    description: (text) => style().dim(text),
    scrollInfo: (text) => style().dim(text),
    noMatch: (text) => style().dim(text),
  };
}
