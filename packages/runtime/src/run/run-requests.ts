import { create } from '@bufbuild/protobuf';
import { CONTINUATION_NOTE, LIMIT_NOTE, plainAnswer, RunDigest } from '@bulkhead/agent';
import { inCallOrder } from '@bulkhead/log/session/message-view';
import { groupList } from '@bulkhead/log/session/tool-loading';
import { RequestBuilder, type RequestText } from '@bulkhead/mind/context/request-builder';
import { BulkheadError } from '@bulkhead/protocol';
import {
  type ModelRequest,
  type ProcessRequest,
  ProcessRequestSchema,
  RequestNote,
} from '@bulkhead/protocol/agent';
import type { Message } from '@bulkhead/protocol/chat';
import type { ModelChain } from './model-chain.ts';
import { repeatedNote } from './repeated-calls.ts';
import type { RunConversation } from './run-conversation.ts';
import type { RunJournal } from './run-journal.ts';
import type { RunServices, RunSetting } from './run-setting.ts';

/**
 * The notes that an agent may add to a request, by their recorded names, with the text for the
 * model.
 */
const NOTES: Readonly<Record<RequestNote, { readonly name: AddedNote; readonly text?: string }>> = {
  [RequestNote.UNSPECIFIED]: { name: 'nothing' },
  [RequestNote.CONTINUE]: { name: 'continue', text: CONTINUATION_NOTE },
  [RequestNote.LAST_ANSWER]: { name: 'last_answer', text: LIMIT_NOTE },
};

type AddedNote = 'nothing' | 'continue' | 'last_answer' | 'repeated';

/** A model request as it is sent, with what is recorded of it. */
export interface ExpandedRequest extends RequestText {
  readonly digest: string;
  readonly added: AddedNote;
}

/**
 * The model requests of one run. The engine owns their messages: an agent names the run by count and digest and may
 * add one of the fixed notes, where it belongs; every byte that a model sees is made here.
 */
export class RunRequests {
  readonly #services: { readonly actions: Pick<RunServices['actions'], 'tools'> };
  readonly #setting: RunSetting;
  readonly #journal: RunJournal;
  readonly #chain: ModelChain;
  readonly #conversation: Pick<RunConversation, 'history' | 'run'>;
  #attempt: { readonly builder: RequestBuilder; readonly digest: RunDigest } | undefined;

  constructor(parts: {
    readonly services: { readonly actions: Pick<RunServices['actions'], 'tools'> };
    readonly setting: RunSetting;
    readonly journal: RunJournal;
    readonly chain: ModelChain;
    readonly conversation: Pick<RunConversation, 'history' | 'run'>;
  }) {
    this.#services = parts.services;
    this.#setting = parts.setting;
    this.#journal = parts.journal;
    this.#chain = parts.chain;
    this.#conversation = parts.conversation;
  }

  /** Begins an attempt. @returns what its agent receives: the run so far, and none of the conversation before it */
  async begin(): Promise<ProcessRequest> {
    const { runId, loaded, maxRounds, prompt, turn, skills } = this.#setting;
    const run = this.#run;
    const missing = (await skills?.missingFrom([...this.#conversation.history, ...run])) ?? [];
    const builder = new RequestBuilder(
      { prompt, turn },
      {
        groups: groupList(this.#services.actions.tools),
        skills: missing,
        contextWindow: this.#chain.current.contextWindow,
      },
    );
    this.#attempt = { builder, digest: new RunDigest() };
    return create(ProcessRequestSchema, {
      runId,
      run,
      sideBySide: loaded.sideBySide,
      maxRounds,
      roundsUsed: this.#journal.answers,
    });
  }

  /**
   * Makes the request that an agent asked for.
   *
   * @throws BulkheadError `protocol_violation` if it names another run than this one, or adds what does not belong there;
   *   `round_limit` if the model repeats itself in spite of the note
   */
  expand({ messages, digest, note }: ModelRequest): ExpandedRequest {
    if (this.#attempt === undefined) throw violation('asked for a model call before it was given a run');
    const { builder, digest: ownDigest } = this.#attempt;
    const run = this.#run;
    const own = ownDigest.of(run);
    if (messages !== own.messages || Buffer.compare(digest, own.digest) !== 0) {
      throw violation('asked for a model call about another conversation than this run has');
    }
    if (note !== this.#noteDue(run)) throw violation('added what does not belong into the request');
    const repeated = note === RequestNote.UNSPECIFIED && repeatedNote(run, this.#setting.sessionId);
    const { name, text }: { readonly name: AddedNote; readonly text?: string } = repeated
      ? { name: 'repeated', text: repeated }
      : NOTES[note];
    const request = builder.build(
      [...this.#conversation.history, ...run],
      this.#setting.loaded.definitions,
      text,
    );
    return { ...request, digest: builder.digestOf(request), added: name };
  }

  #noteDue(run: readonly Message[]): RequestNote {
    if (this.#journal.answers >= this.#setting.maxRounds) return RequestNote.LAST_ANSWER;
    return plainAnswer(run.at(-1)) === undefined ? RequestNote.UNSPECIFIED : RequestNote.CONTINUE;
  }

  get #run(): Message[] {
    return inCallOrder(this.#conversation.run);
  }
}

function violation(what: string): BulkheadError {
  return new BulkheadError('protocol_violation', `the agent ${what}`);
}
