import type { ChangedText, ChangeRefusal } from '@bulkhead/protocol';
import type { NameFact } from './name-facts.ts';

/** A reason why a person must decide about a change, or why no one may allow it. */
export interface Finding {
  readonly decision: 'ask' | 'drop';
  /** Last part of the rule's name, as policies and people see it. */
  readonly rule: string;
  /** The rest of a sentence that begins with the path. */
  readonly reason: string;
}

/** The context for judging one change. */
export interface ChangePlace {
  /** The path's components as text; different bytes give different text. */
  readonly names: readonly string[];
  /** Facts of each component. */
  readonly facts: readonly NameFact[];
  /** Absolute. */
  readonly workingFolder: string;
  readonly gitParts: GitParts;
  /** The content of the file, if it was read. */
  readonly text: ChangedText | undefined;
}

/**
 * Files in folders that git would take for a repository. Folder names are bytes, relative, empty
 * for the outermost.
 */
export interface GitParts {
  /** Whether it has a `HEAD`: git works in such a folder even if its name is not `.git`. */
  isGitFolder(folder: Uint8Array): boolean;
  /** Whether it has a file that git obeys in a repository, even if it is no repository. */
  hasSettings(folder: Uint8Array): boolean;
}

/** Converts the verdict about a name to a finding. */
export function findingFrom({ decision, rule, reason }: ChangeRefusal): Finding {
  return { decision: decision === 'block' ? 'drop' : 'ask', rule, reason };
}
