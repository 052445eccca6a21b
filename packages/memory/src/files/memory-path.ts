import type { MemorySource } from '../memory-hit.ts';

/** The role in memory of a path below the profile's folder. */
export interface MemoryPath {
  readonly source: MemorySource | 'user';
  /** The day of a daily note, `YYYY-MM-DD`; empty for other files. */
  readonly date: string;
  /** True for a sync tool's conflict copy: it is read, and never written. */
  readonly isConflict: boolean;
}

/** A place for new notes: `memory_write` uses the first three, a person all. */
export type MemoryTarget = (typeof MEMORY_TARGETS)[number];

export const MEMORY_TARGETS = ['memory', 'daily', 'user', 'agents', 'heartbeat'] as const;

const TOP: Readonly<Record<string, MemoryPath['source']>> = {
  'MEMORY.md': 'memory',
  'USER.md': 'user',
  'AGENTS.md': 'agents',
  'HEARTBEAT.md': 'heartbeat',
};

const FILES: Readonly<Record<Exclude<MemoryTarget, 'daily'>, string>> = {
  memory: 'MEMORY.md',
  user: 'USER.md',
  agents: 'AGENTS.md',
  heartbeat: 'HEARTBEAT.md',
};

const DAILY = /^memory\/(\d{4})(\d{2})\/(\d{4})(\d{2})(\d{2})\.md$/u;

/**
 * Marks that sync tools put into the name of a conflict copy: ` (conflicted copy)`, ` (Ann's
 * conflicted copy 2026-11-02)`,
 * `.sync-conflict-20261102-101500-ABCDEFG`.
 */
const CONFLICT =
  / \([^()]{0,80}conflict(?:ed)?(?: copy)?[^()]{0,80}\)(?=\.|$)|\.sync-conflict-[\w-]{1,60}(?=\.|$)/iu;

/**
 * @param path below the profile's folder, with `/`
 * @returns undefined for a path outside memory: another folder, another ending
 */
export function memoryPath(path: string): MemoryPath | undefined {
  const slash = path.lastIndexOf('/') + 1;
  const plain = `${path.slice(0, slash)}${path.slice(slash).replace(CONFLICT, '')}`;
  const isConflict = plain !== path;
  const top = TOP[plain];
  if (top !== undefined) return { source: top, date: '', isConflict };
  const date = dateOf(plain);
  if (date !== undefined) return { source: 'daily', date, isConflict };
  const isKnowledge = plain.startsWith('knowledge/') && /\.(?:md|markdown|txt)$/iu.test(plain);
  return isKnowledge ? { source: 'knowledge', date: '', isConflict } : undefined;
}

/** The file of a target. @param date of the day, `YYYY-MM-DD` */
export function targetPath(target: MemoryTarget, date: string): string {
  return target === 'daily' ? dailyPath(date) : FILES[target];
}

/** @param date `YYYY-MM-DD` */
export function dailyPath(date: string): string {
  const digits = date.replaceAll('-', '');
  return `memory/${digits.slice(0, 6)}/${digits}.md`;
}

function dateOf(path: string): string | undefined {
  const found = DAILY.exec(path);
  if (found === null) return undefined;
  const [, folderYear, folderMonth, year = '', month = '', day = ''] = found;
  if (folderYear !== year || folderMonth !== month) return undefined;
  const date = `${year}-${month}-${day}`;
  const time = Date.parse(date);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(date) ? undefined : date;
}
