import { BulkheadError, type Clock } from '@bulkhead/protocol';
import type { MemoryWriter, NoteRequest } from './memory-writer.ts';
import { noteText } from './note-text.ts';
import type { PersonNotes } from './person-notes.ts';
import type { Proposal, ProposalStore } from './proposal-store.ts';

/** A person's possible decisions about a proposal. */
const DECISIONS = ['accept', 'reject', 'revert'] as const;

interface ReviewParts {
  readonly writer: MemoryWriter;
  readonly notes: PersonNotes;
  readonly clock: Pick<Clock, 'now'>;
  readonly proposals: ProposalStore;
}

/** The queue of what somebody thinks worth remembering: nothing of it counts until a person says so [M4]. */
export class MemoryReview {
  readonly #parts: ReviewParts;

  constructor(parts: ReviewParts) {
    this.#parts = parts;
  }

  list(all: boolean): readonly Proposal[] {
    return this.#parts.proposals.list(all ? undefined : 'open');
  }

  /** @throws BulkheadError `not_found` */
  get(id: string): Proposal {
    return this.#parts.proposals.get(id);
  }

  /** The change an open proposal would make now, line by line; the reason, if it can't be made. */
  diff(proposal: Proposal): string {
    if (proposal.state !== 'open') return '';
    try {
      return noteText(this.#parts.writer.plan(requestOf(proposal)), true);
    } catch (error) {
      return BulkheadError.from(error).message;
    }
  }

  /**
   * @returns what was done, for people
   * @throws BulkheadError `usage` for another decision or a proposal that was decided, `not_found`, and why it can't be written
   */
  async decide(id: string, decision: string, signal: AbortSignal): Promise<string> {
    const known = DECISIONS.find((one) => one === decision);
    const proposal = this.#parts.proposals.get(id);
    if (known === undefined) {
      throw new BulkheadError(
        'usage',
        `a proposal is accepted, rejected or reverted, not ${JSON.stringify(decision)}`,
        {
          fix: `Say one of ${DECISIONS.join(', ')}.`,
        },
      );
    }
    if (known === 'accept') return await this.#accept(proposal, signal);
    if (known === 'revert') return await this.#revert(proposal, signal);
    this.#parts.proposals.decide(id, 'open', 'rejected', this.#parts.clock.now());
    return 'Rejected: nothing was written.';
  }

  /** Decided first: of two that accept it, one writes. */
  async #accept(proposal: Proposal, signal: AbortSignal): Promise<string> {
    const { notes, proposals, clock } = this.#parts;
    proposals.decide(proposal.id, 'open', 'accepted', clock.now());
    try {
      const { planned, action } = await notes.write(requestOf(proposal), proposal.label, signal);
      proposals.decide(proposal.id, 'accepted', 'accepted', clock.now(), action);
      return noteText(planned, false);
    } catch (error) {
      proposals.decide(proposal.id, 'accepted', 'open', clock.now());
      throw error;
    }
  }

  async #revert({ id, action, replaces, state }: Proposal, signal: AbortSignal): Promise<string> {
    const { notes, proposals, clock } = this.#parts;
    if (state !== 'accepted') proposals.decide(id, 'accepted', 'reverted', clock.now(), action);
    const undone = action === '' ? undefined : await notes.takeOut(action, replaces, signal);
    proposals.decide(id, 'accepted', 'reverted', clock.now(), action);
    return undone === undefined ? 'It is no longer in memory.' : noteText(undone.planned, false);
  }
}

function requestOf({ text, target, heading, replaces }: Proposal): NoteRequest {
  return { text, target, heading, replaces };
}
