import type { EngineLink } from '@bulkhead/client';
import { approvalFate, describeError, type IdSource, type SessionEvent } from '@bulkhead/protocol';
import { ApprovalAnswer, ApprovalMode, Delivery } from '@bulkhead/protocol/client';
import type { Output } from '../output/output.ts';
import { type ApprovalQuestion, type AskingVerdict, showQuestion } from './approval-dialog.ts';
import { approvalChoices, approvalHelp, approvalPrompt, approvalWord } from './approval-words.ts';

/** Limit of remembered verdicts for later questions. */
const VERDICTS = 64;

/** Asks the person; rejects when the signal fires. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string>;

export interface ApprovalServiceOptions {
  readonly link: EngineLink;
  readonly output: Output;
  readonly ask: Ask;
  readonly newId: IdSource;
}

/**
 * Asks the person about actions, one after the other, and sends the answers, each bound to the hash
 * of the shown action. Only a plain "yes" (or an offered s or a) allows, only a plain "no" or an
 * empty line refuses; any other entry repeats the question. A question answered elsewhere is
 * withdrawn.
 */
export class ApprovalService {
  readonly #options: ApprovalServiceOptions;
  readonly #output: Output;
  readonly #open = new Map<string, AbortController>();
  /** By action: the engine's verdict before its question. */
  readonly #verdicts = new Map<string, AskingVerdict>();
  #queue: Promise<void> = Promise.resolve();

  constructor(options: ApprovalServiceOptions) {
    this.#options = options;
    this.#output = options.output;
  }

  /**
   * Takes verdicts, `approval_requested` and `approval_decided`; ignores other events.
   * @param signal withdraws the question unanswered: it may be asked again
   */
  take(event: SessionEvent, signal: AbortSignal): void {
    if (event.type === 'shield_verdict' && event.decision === 'escalate') this.#remember(event.action, event);
    if (event.type === 'approval_decided') this.#open.get(event.approval)?.abort();
    if (event.type !== 'approval_requested' || this.#isOpen(event.approval) || signal.aborted) return;
    const withdrawn = new AbortController();
    const leave = () => withdrawn.abort();
    signal.addEventListener('abort', leave, { once: true });
    this.#open.set(event.approval, withdrawn);
    const verdict = this.#verdicts.get(event.action);
    this.#queue = this.#queue.then(async () => {
      await this.#decide(event, verdict, { withdrawn: withdrawn.signal, left: signal });
      signal.removeEventListener('abort', leave);
    });
  }

  /** Resolves once no question is shown, and none waits. */
  async idle(): Promise<void> {
    await this.#queue;
  }

  #remember(action: string, verdict: AskingVerdict): void {
    const [oldest] = this.#verdicts.keys();
    if (this.#verdicts.size >= VERDICTS && oldest !== undefined) this.#verdicts.delete(oldest);
    this.#verdicts.set(action, verdict);
  }

  #isOpen(approval: string): boolean {
    return this.#open.get(approval)?.signal.aborted === false;
  }

  async #decide(
    event: ApprovalQuestion,
    verdict: AskingVerdict | undefined,
    { withdrawn, left }: { readonly withdrawn: AbortSignal; readonly left: AbortSignal },
  ): Promise<void> {
    if (withdrawn.aborted) return;
    const leftMs = await this.#timeLeft(event, withdrawn);
    if (withdrawn.aborted) return;
    showQuestion(event, verdict, leftMs, this.#output);
    try {
      const answer = await this.#answer(event, withdrawn);
      const { session: sessionId, approval: approvalId, hash: actionHash } = event;
      const request = { sessionId, approvalId, actionHash, answer };
      // A decision made elsewhere withdraws the question; a person who answered it still sees the
      // result of the answer.
      const fate = approvalFate(
        await this.#options.link.repeat((client) => client.call('decideApproval', request), left),
      );
      if (fate !== undefined && !left.aborted) this.#output.line(`  ${sentence(fate)}`);
    } catch (cause) {
      this.#open.delete(event.approval);
      if (!withdrawn.aborted)
        this.#output.line(`  The answer could not be sent: ${this.#output.safe(describeError(cause))}`);
      else this.#output.freshLine();
    }
  }

  /**
   * The engine computes it, because clocks may differ. @returns undefined if the engine gives no
   * time
   */
  async #timeLeft({ approval }: ApprovalQuestion, signal: AbortSignal): Promise<number | undefined> {
    try {
      const ask = this.#options.link.repeat(
        async (client) => (await client.call('listApprovals', { approvalId: approval }, signal)).approvals,
        signal,
      );
      const [open] = await ask;
      return open?.remainingMs;
    } catch {
      return undefined;
    }
  }

  async #answer(event: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { scopes } = event;
    while (true) {
      const text = await this.#options.ask(`  ${approvalPrompt(scopes)}`, signal);
      const word = approvalWord(text, scopes);
      if (word?.kind === 'answer') return word.answer;
      if (word?.kind === 'instead') {
        await this.#say(event.session, word.words, signal);
        return ApprovalAnswer.DENY;
      }
      if (word?.kind === 'details') await this.#details(event, signal);
      else if (word?.kind === 'help') for (const line of approvalHelp(scopes)) this.#output.line(`  ${line}`);
      else this.#output.line(`  ${this.#noAnswer(text)} Please say ${approvalChoices(scopes)}.`);
    }
  }

  /** Sent before the denial: the run must have the words when it goes on. */
  async #say(sessionId: string, content: string, signal: AbortSignal): Promise<void> {
    const options = { approve: ApprovalMode.ASK };
    const message = {
      sessionId,
      messageId: this.#options.newId(),
      content,
      delivery: Delivery.STEER,
      options,
    };
    await this.#options.link.repeat((client) => client.call('sendMessage', message, signal), signal);
  }

  #noAnswer(text: string): string {
    return `"${this.#output.safeLine(text.trim().slice(0, 40))}" is not an answer; nothing was sent.`;
  }

  async #details(question: ApprovalQuestion, signal: AbortSignal): Promise<void> {
    const output = this.#output;
    try {
      await showDetails(this.#options.link, question, output, signal);
    } catch (cause) {
      signal.throwIfAborted();
      output.line(`  It could not be read: ${output.safe(describeError(cause))}`);
    }
  }
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** The whole question, as the engine has it. */
async function showDetails(
  link: EngineLink,
  { approval, hash, session }: ApprovalQuestion,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const [full] = await link.repeat(
    async (client) => (await client.call('listApprovals', { approvalId: approval }, signal)).approvals,
    signal,
  );
  if (full === undefined) return output.line('  That question is open no more.');
  for (const line of full.shown.split('\n')) output.line(`  ${output.safe(line)}`);
  output.line(`  tool ${output.safeLine(full.tool)}, question ${output.safeLine(approval)}`);
  output.line(`  session ${output.safeLine(session)}`);
  output.line(`  bound to SHA-256 ${output.safeLine(hash)}`);
}
