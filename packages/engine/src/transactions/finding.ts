import type { ChangeRefusal } from '@bulkhead/protocol';
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
  /** Whether a folder, given by its components, is one that git works in without being called `.git`. */
  isGitFolder(folder: readonly string[]): boolean;
}

/** The judgement of a name in the words of the judgement of effects. */
export function findingFrom({ decision, rule, reason }: ChangeRefusal): Finding {
  return { decision: decision === 'block' ? 'drop' : 'ask', rule, reason };
}
