import type { ChangedText, ChangeRefusal } from '@bulkhead/protocol';
import type { NameFact } from './name-facts.ts';

/** Something about one change that a person must decide, or that nobody may. */
export interface Finding {
  readonly decision: 'ask' | 'drop';
  /** Last part of the rule's name, as policies and people see it. */
  readonly rule: string;
  /** The rest of a sentence that begins with the path. */
  readonly reason: string;
}

/** What one change is judged by besides itself. */
export interface ChangePlace {
  /** The path's components as text that keeps bytes apart. */
  readonly names: readonly string[];
  /** Of each of them. */
  readonly facts: readonly NameFact[];
  /** Absolute. */
  readonly workingFolder: string;
  readonly gitParts: GitParts;
  /** What is in the file, if that was read. */
  readonly text: ChangedText | undefined;
}

/** What folders hold that git would take for a repository; by their names as bytes, relative, empty for the outermost. */
export interface GitParts {
  /** Whether it has a `HEAD`: git works in such a folder without its being called `.git`. */
  isGitFolder(folder: Uint8Array): boolean;
  /** Whether it has something that git obeys in a repository, though it may be none. */
  hasSettings(folder: Uint8Array): boolean;
}

/** The judgement of a name in the words of the judgement of effects. */
export function findingFrom({ decision, rule, reason }: ChangeRefusal): Finding {
  return { decision: decision === 'block' ? 'drop' : 'ask', rule, reason };
}
