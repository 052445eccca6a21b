import { MEMORY_TARGETS, type MemoryTarget } from '@bulkhead/memory';
import { BulkheadError } from '@bulkhead/protocol';
import type { Tables } from '@bulkhead/sessions';
import { type Label, readLabel } from '@bulkhead/shield';
import { damagedRecords } from './line-records.ts';

/** Pending for a person, or the person's decision. */
export type ProposalState = (typeof STATES)[number];

const STATES = ['open', 'accepted', 'rejected', 'reverted'] as const;

/** A change of memory that somebody thinks right, and a person decides about. */
export interface NewProposal {
  readonly text: string;
  readonly target: MemoryTarget;
  readonly heading: string;
  /** The line it is to stand for; empty for a new one. */
  readonly replaces: string;
  /** Why, in a sentence. */
  readonly reason: string;
  /** Where it comes from; empty if from none. */
  readonly session: string;
  /** The label of its sources, which its line gets too. */
  readonly label: Label;
}

export interface Proposal extends NewProposal {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly state: ProposalState;
  /** That wrote it, once accepted; else empty. */
  readonly action: string;
}

/** Most that wait: of a source that never stops proposing, the newest are refused. */
const MOST_OPEN = 500;

/** Proposals on the disk [M4]. */
export class ProposalStore {
  readonly #tables: Tables;
  readonly #profile: string;

  /** @param profile whose memory they would change */
  constructor(tables: Tables, profile: string) {
    this.#tables = tables;
    this.#profile = profile;
  }

  /** @returns false if the same is waiting already, or too many are */
  add(id: string, time: number, proposal: NewProposal): boolean {
    const { session, reason, target, heading, text, replaces, label } = proposal;
    const open = this.list('open');
    if (open.length >= MOST_OPEN || open.some((other) => other.text === text && other.target === target))
      return false;
    const values = [id, time, 'open', session, reason, target, heading, text, replaces];
    const insert = this.#tables.prepare(
      `INSERT INTO memory_proposals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0)`,
    );
    this.#tables.write(true, () => insert.run(this.#profile, ...values, label.secrecy, label.trust));
    return true;
  }

  /** The oldest first. @param state of all if not given */
  list(state?: ProposalState): readonly Proposal[] {
    const query = this.#tables.prepare(
      'SELECT * FROM memory_proposals WHERE profile = ?1 AND (?2 IS NULL OR state = ?2) ORDER BY time, id',
    );
    return query.all(this.#profile, state ?? null).map((row) => this.#read(row));
  }

  /** @throws BulkheadError `not_found` */
  get(id: string): Proposal {
    const query = this.#tables.prepare('SELECT * FROM memory_proposals WHERE profile = ? AND id = ?');
    const row = query.get(this.#profile, id);
    if (row !== undefined) return this.#read(row);
    throw new BulkheadError('not_found', `there is no proposal ${id}`, {
      fix: '`bulkhead memory review` lists them.',
    });
  }

  /** @throws BulkheadError `usage` if it is not in the state `from`: somebody else was first */
  decide(id: string, from: ProposalState, to: ProposalState, time: number, action = ''): void {
    const set = this.#tables.prepare(
      'UPDATE memory_proposals SET state = ?, decided = ?, action = ? WHERE profile = ? AND id = ? AND state = ?',
    );
    const values = [to, time, action, this.#profile, id, from];
    if (this.#tables.write(true, () => set.run(...values).changes) === 1) return;
    throw new BulkheadError('usage', `the proposal ${id} is ${this.get(id).state}, not ${from}`);
  }

  #read(row: Readonly<Record<string, unknown>>): Proposal {
    const label = readLabel({ secrecy: row['secrecy'], trust: row['trust'] });
    const state = STATES.find((known) => known === row['state']);
    const target = MEMORY_TARGETS.find((known) => known === row['target']);
    if (label === undefined || state === undefined || target === undefined)
      throw damagedRecords(this.#tables.path, `the proposal ${String(row['id'])} can't be read`);
    const text = (name: string): string => String(row[name] ?? '');
    return {
      id: text('id'),
      time: Number(row['time']),
      state,
      target,
      label,
      session: text('session'),
      reason: text('reason'),
      heading: text('heading'),
      text: text('text'),
      replaces: text('replaces'),
      action: text('action'),
    };
  }
}
