import { oneLine } from './one-line.ts';

const MAX_FACTS = 20;
const MAX_FACT = 300;
const PREFIX = 'FACT:';

/**
 * The durable facts of a model's answer: only lines that begin with `FACT:`.
 *
 * @returns at most 20, each one line of at most 300 characters, without duplicates
 */
export function readFacts(text: string): readonly string[] {
  const facts = text.split('\n').flatMap((line) => {
    const words = line.replace(/^[\s*-]+/, '');
    if (!words.startsWith(PREFIX)) return [];
    const fact = oneLine(words.slice(PREFIX.length), MAX_FACT);
    return fact === '' || fact.toLowerCase() === 'none' ? [] : [fact];
  });
  return [...new Set(facts)].slice(0, MAX_FACTS);
}
