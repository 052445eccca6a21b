import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Mutant } from './mutants.ts';

/**
 * Makes every later import of the mutant's file give the broken text.
 *
 * @param source folder the mutant's file is named from
 * @throws Error, when the file is imported, if the text to replace is not there exactly once
 */
export function loadMutant({ file, find, replace }: Mutant, source: string): void {
  const target = pathToFileURL(`${source}/${file}`).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== target) return loaded;
      const text =
        typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      const pieces = text.split(find);
      if (pieces.length !== 2) {
        throw new Error(`${file} holds ${JSON.stringify(find)} ${pieces.length - 1} times: mend the mutant`);
      }
      return { ...loaded, source: pieces.join(replace) };
    },
  });
}
