import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Clock, SessionEvent } from '@bulkhead/protocol';
import { AnswerChunks } from './answer-chunks.ts';
import type { EditorAbilities } from './editor-abilities.ts';
import { ToolUpdates } from './tool-updates.ts';

/** The events of one run as an editor's updates, in their order. */
export class RunUpdates {
  readonly tools: ToolUpdates;
  readonly #answer: AnswerChunks;
  readonly #abilities: EditorAbilities;

  /** @param folder the session's working folder */
  constructor(
    folder: string,
    abilities: EditorAbilities,
    clock: Pick<Clock, 'monotonic'>,
    newId: () => string,
  ) {
    this.tools = new ToolUpdates(folder, clock);
    this.#answer = new AnswerChunks(newId);
    this.#abilities = abilities;
  }

  take(event: SessionEvent): SessionUpdate[] {
    return [...this.#beside(event), ...this.#answer.take(event), ...this.tools.take(event)];
  }

  #beside(event: SessionEvent): SessionUpdate[] {
    switch (event.type) {
      case 'session_title':
        return [{ sessionUpdate: 'session_info_update', title: event.title }];
      case 'retry_start':
        return this.#notice(
          `The model failed, retry ${event.attempt} with ${event.model}`,
          `${event.code}: ${event.message}`,
        );
      case 'run_resumed':
        return this.#notice(
          'The engine was stopped during this run, which continues now',
          openActions(event),
        );
      case 'session_compact':
        return this.#compacted(event.entry);
      default:
        return [];
    }
  }

  #notice(title: string, description: string): SessionUpdate[] {
    if (!this.#abilities.notices) return [];
    return [{ sessionUpdate: 'notice', severity: 'warning', title, description }];
  }

  #compacted(entry: string): SessionUpdate[] {
    if (!this.#abilities.compaction) return [];
    return [{ sessionUpdate: 'compaction_update', compactionId: entry, status: 'completed' }];
  }
}

function openActions(event: Extract<SessionEvent, { type: 'run_resumed' }>): string {
  const { executed, notExecuted, unknown } = event;
  return `Actions left open: ${executed} done, ${notExecuted} not done, ${unknown} with unknown outcome`;
}
