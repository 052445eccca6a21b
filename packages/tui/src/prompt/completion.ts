import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from '@earendil-works/pi-tui';
import { fuzzyFilter } from '../library/later-parts.ts';

/** Limit of completions shown for a name. */
const SHOWN = 40;

/** A word after `/`, for completion. */
export interface CommandName {
  readonly name: string;
  readonly about: string;
  readonly argument?: string;
}

interface CompletionSources {
  readonly commands: () => readonly CommandName[];
  /** Names of templates; empty if the request fails or is late. */
  readonly templates: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Files of the session's folder, relative. */
  readonly files: (signal: AbortSignal) => Promise<readonly string[]>;
}

/**
 * Completions for Tab, `/` and `@`: commands and templates at the start of a message, files
 * anywhere.
 */
export function createCompletion({ commands, templates, files }: CompletionSources): AutocompleteProvider {
  return {
    triggerCharacters: ['@'],
    shouldTriggerFileCompletion: () => false,
    async getSuggestions(lines, line, column, { signal }): Promise<AutocompleteSuggestions | null> {
      const before = (lines[line] ?? '').slice(0, column);
      if (lines.length === 1 && /^\/[a-z0-9-]*$/.test(before)) {
        const found = commandItems(before, commands(), await templates(signal).catch(() => []));
        return found.length === 0 ? null : { items: found, prefix: before };
      }
      const prefix = /(?:^|\s)(@\S*)$/.exec(before)?.[1];
      if (prefix === undefined) return null;
      const known = await files(signal).catch((): readonly string[] => []);
      // A complete name needs no completion: Enter sends it.
      if (known.includes(prefix.slice(1))) return null;
      const names = fuzzyFilter([...known], prefix.slice(1), (name) => name);
      const items = names.slice(0, SHOWN).map((name) => ({ value: `@${name} `, label: name }));
      return items.length === 0 ? null : { items, prefix };
    },
    applyCompletion(lines, line, column, { value }, prefix) {
      const text = lines[line] ?? '';
      const start = column - prefix.length;
      const changed = text.slice(0, start) + value + text.slice(column);
      return { lines: lines.with(line, changed), cursorLine: line, cursorCol: start + value.length };
    },
  };
}

function commandItems(
  typed: string,
  commands: readonly CommandName[],
  templates: readonly string[],
): AutocompleteItem[] {
  const own = commands.map(({ name, about, argument }) => ({
    value: argument === undefined ? `/${name}` : `/${name} `,
    label: argument === undefined ? `/${name}` : `/${name} ${argument}`,
    description: about,
  }));
  const taken = new Set(commands.map(({ name }) => name));
  const others = templates
    .filter((name) => !taken.has(name))
    .map((name) => ({ value: `/${name} `, label: `/${name}`, description: 'a template' }));
  const fitting = [...own, ...others].filter(({ value }) => value.startsWith(typed));
  // Enter takes the first match: `/session` must not become `/sessions`.
  return fitting.toSorted((a, b) => Number(b.value.trim() === typed) - Number(a.value.trim() === typed));
}
