import type { EngineLink } from '@bulkhead/client';
import { describeError, type SessionEvent } from '@bulkhead/protocol';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { parseEvent } from '@bulkhead/protocol/transcript';
import type { ApprovalService } from '../conversation/approval-service.ts';
import { connectionNote } from '../conversation/connection-note.ts';
import { WaitingNotice } from '../conversation/waiting-notice.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { Output } from '../output/output.ts';
import { createPalette, wantsColour } from '../output/palette.ts';
import { approvalsAtPrompt } from './approvals-at-prompt.ts';
import { type ChatInput, parseChatInput } from './chat-input.ts';
import { type ChatPlaceOptions, findPlace, tellPlace } from './chat-place.ts';
import { ChatView } from './chat-view.ts';
import type { ChatSeat, MessageDelivery } from './commands/chat-command.ts';
import { CHAT_COMMANDS, COMMAND_NAMES } from './commands/chat-commands.ts';
import { ChosenModel } from './commands/chosen-model.ts';
import { completeCommand } from './commands/complete-command.ts';
import { deliveryOf } from './delivery-of.ts';
import { enterTemplate } from './enter-template.ts';
import { OpenQuestion } from './open-question.ts';
import { PromptLine } from './prompt-line.ts';
import { replay } from './replay.ts';
import { SessionActivity } from './session-activity.ts';

/** A second Ctrl-C within this time leaves the chat, milliseconds. */
const LEAVE_MS = 2_000;

const NOT_AWAITED = 'not waited for any longer; what the engine began it may still finish';

export interface ChatOptions extends ChatPlaceOptions {
  readonly link: EngineLink;
  readonly environment: Environment;
  /** Actions with effects are described and not executed. */
  readonly dryRun: boolean;
}

/**
 * One chat at a terminal (or a pipe): entries in, events out, at the same time. Messages entered
 * during a run are sent at once; the engine takes them up in order.
 */
export class Chat {
  readonly #options: ChatOptions;
  readonly #link: EngineLink;
  readonly #environment: Environment;
  readonly #output: Output;
  readonly #view: ChatView;
  readonly #prompt: PromptLine;
  readonly #service: ApprovalService | undefined;
  readonly #left = new AbortController();
  readonly #question = new OpenQuestion();
  /** Signal of the running command: Ctrl-C fires it. */
  #command = new AbortController();
  /** Text of messages sent from this chat, by id. */
  readonly #own = new Map<string, string>();
  readonly #model: ChosenModel;
  readonly #waiting: WaitingNotice;
  #session = '';
  #folder = '';
  #activity = new SessionActivity();
  #watching = new AbortController();
  #watch: Promise<void> = Promise.resolve();
  #failure: unknown;
  #busy = false;
  #atWork = false;
  #idle = Promise.withResolvers<void>();
  #lastInterrupt = Number.NEGATIVE_INFINITY;

  constructor(options: ChatOptions) {
    const { environment, link } = options;
    const { stdin, stdout, env } = environment;
    this.#options = options;
    this.#model = new ChosenModel(options.model, options.modelOverride);
    this.#link = link;
    this.#environment = environment;
    this.#prompt = new PromptLine({
      input: stdin,
      output: stdout,
      prompt: createPalette(wantsColour(stdout, env)).cyan(options.offTheRecord ? 'off the record> ' : '> '),
      complete: (line) => completeCommand(line, CHAT_COMMANDS, (signal) => this.#templates(signal)),
      onInterrupt: () => this.#interrupt(),
    });
    this.#output = new Output(this.#prompt.screen, env);
    this.#waiting = new WaitingNotice((line) => this.#sayWaiting(line));
    this.#view = new ChatView(this.#output, this.#own);
    this.#service = approvalsAtPrompt(link, environment, this.#output, this.#prompt);
  }

  /**
   * @param sessionId undefined for a new session
   * @returns the exit code
   * @throws BulkheadError `usage` for a session on the record in a chat off the record, or the
   * reverse
   */
  async run(sessionId: string | undefined): Promise<number> {
    using _prompt = this.#prompt;
    using _signals = this.#environment.onInterrupt(() => this.#leave());
    this.#output.gone.addEventListener('abort', () => this.#leave(), { once: true });
    await this.#open(sessionId);
    this.#showPrompt();
    for await (const entry of this.#prompt.entries) {
      if (this.#left.signal.aborted) break;
      this.#prompt.hide();
      await this.#enter(parseChatInput(entry, CHAT_COMMANDS));
      if (this.#left.signal.aborted) break;
      this.#showPrompt();
    }
    if (!this.#left.signal.aborted && !this.#environment.stdin.isTTY) await this.#untilQuiet();
    return await this.#close();
  }

  async #close(): Promise<number> {
    this.#watching.abort();
    await this.#watch;
    if (this.#failure !== undefined) throw this.#failure;
    this.#prompt.clearDraft();
    this.#prompt.hide();
    this.#tellRunGoesOn();
    if (this.#environment.stdin.isTTY) {
      const otr = this.#options.offTheRecord ? ' --otr' : '';
      this.#output.line(`go on with: bulkhead chat${otr} --session ${this.#output.safe(this.#session)}`);
    }
    return EXIT.completed;
  }

  async #enter(input: ChatInput): Promise<void> {
    this.#command = new AbortController();
    this.#atWork = input.kind === 'command' || input.kind === 'template';
    try {
      if (input.kind === 'message') await this.#send(input.text, 'steer');
      if (input.kind === 'command') await input.command.run(input.argument, this.#seat());
      if (input.kind === 'template') await enterTemplate(input, this.#seat());
      if (input.kind === 'mistake') this.#output.line(this.#output.safeLine(input.reason));
    } catch (cause) {
      if (this.#left.signal.aborted) return;
      const reason = this.#command.signal.aborted ? NOT_AWAITED : describeError(cause);
      this.#output.line(this.#output.palette.red(this.#output.safeLine(reason)));
    } finally {
      this.#atWork = false;
    }
  }

  #seat(): ChatSeat {
    const ask = this.#prompt.ask.bind(this.#prompt);
    return {
      link: this.#link,
      output: this.#output,
      signal: AbortSignal.any([this.#left.signal, this.#command.signal]),
      sessionId: this.#session,
      folder: this.#folder,
      model: this.#model,
      view: this.#view,
      taken: COMMAND_NAMES,
      queue: { sessionId: this.#session, waiting: this.#activity.waiting, own: this.#own },
      ask: this.#service && ((question) => this.#question.ask(ask, question, this.#left.signal)),
      send: (text, delivery) => this.#send(text, delivery),
      open: (sessionId) => this.#open(sessionId),
      leave: () => this.#leave(),
    };
  }

  async #templates(signal: AbortSignal): Promise<readonly string[]> {
    const { templates } = await this.#link.once((client) =>
      client.call('listTemplates', { workingFolder: this.#folder }, signal),
    );
    return templates.map(({ name }) => name);
  }

  async #send(content: string, wanted: MessageDelivery): Promise<void> {
    const delivery = deliveryOf(wanted, this.#environment.stdin.isTTY === true);
    const messageId = this.#environment.newId();
    this.#own.set(messageId, content);
    this.#activity.sent(messageId);
    this.#followActivity();
    const options = {
      approve: this.#service === undefined ? ApprovalMode.DENY : ApprovalMode.ASK,
      model: this.#model.override,
      dryRun: this.#options.dryRun,
    };
    const request = { sessionId: this.#session, messageId, content, delivery, options };
    try {
      await this.#link.repeat((client) => client.call('sendMessage', request), this.#left.signal);
    } catch (cause) {
      this.#own.delete(messageId);
      this.#activity.notSent(messageId);
      this.#followActivity();
      throw cause;
    }
  }

  /** Leaves the current session and shows another one from its first event, or a new one. */
  async #open(sessionId: string | undefined): Promise<void> {
    const place = await findPlace(this.#link, sessionId, this.#options);
    if (place.sessionId !== this.#session) this.#tellRunGoesOn();
    const { seq, activity, questions } = await replay(this.#link, place, this.#output);
    this.#watching.abort();
    await this.#watch;
    this.#session = place.sessionId;
    this.#folder = place.folder;
    this.#activity = activity;
    this.#followActivity();
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    tellPlace(place, this.#options, this.#output);
    this.#watch = this.#follow(seq, signal);
    for (const question of questions) this.#service?.take(question, signal);
    if (this.#busy && questions.length === 0) this.#waiting.begin('the run that goes on');
  }

  /** Leaving is not cancelling. */
  #tellRunGoesOn(): void {
    if (!this.#busy) return;
    this.#output.line(`the run in session ${this.#output.safe(this.#session)} goes on without you`);
  }

  async #follow(afterSeq: number, signal: AbortSignal): Promise<void> {
    const tell = (connection: 'lost' | 'back') => {
      this.#output.line(this.#output.palette.yellow(connectionNote(connection)));
      if (connection === 'back') void this.#model.tellIfAnother(this.#link, this.#output);
    };
    try {
      for await (const { json } of this.#link.watch(this.#session, afterSeq, signal, tell)) {
        const event = parseEvent(json);
        if (event !== undefined) this.#take(event, signal);
      }
    } catch (cause) {
      if (signal.aborted) return;
      this.#failure = cause;
      this.#leave();
    } finally {
      this.#waiting.end();
    }
  }

  #take(event: SessionEvent, signal: AbortSignal): void {
    this.#activity.take(event);
    this.#view.show(event);
    this.#waiting.note(event);
    this.#service?.take(event, signal);
    if (event.type === 'settled') this.#own.delete(event.message);
    const wasBusy = this.#busy;
    this.#followActivity();
    if (wasBusy && !this.#busy) this.#showPrompt();
  }

  #followActivity(): void {
    const { busy } = this.#activity;
    if (busy) this.#prompt.hide();
    else this.#idle.resolve();
    if (busy && !this.#busy) this.#idle = Promise.withResolvers();
    this.#busy = busy;
  }

  #sayWaiting(line: string): void {
    if (this.#output.isTerminal) this.#output.line(this.#output.palette.dim(this.#output.safe(line)));
  }

  #showPrompt(): void {
    if (this.#busy || this.#left.signal.aborted) return;
    this.#output.freshLine();
    this.#prompt.show();
  }

  async #untilQuiet(): Promise<void> {
    while (this.#busy && !this.#left.signal.aborted) await this.#idle.promise;
  }

  #interrupt(): void {
    const now = this.#environment.clock.monotonic();
    if (this.#question.withdraw()) return;
    if (this.#busy) {
      this.#cancelRun();
    } else if (this.#atWork) {
      this.#command.abort();
    } else if (this.#prompt.draft !== '') {
      this.#prompt.clearDraft();
    } else if (now - this.#lastInterrupt < LEAVE_MS) {
      this.#leave();
    } else {
      this.#lastInterrupt = now;
      this.#output.line('Ctrl-C again leaves.');
    }
  }

  #cancelRun(): void {
    const request = { sessionId: this.#session };
    this.#link
      .repeat((client) => client.call('cancelRun', request), this.#left.signal)
      .catch((cause: unknown) => this.#output.line(this.#output.safeLine(describeError(cause))));
  }

  #leave(): void {
    this.#left.abort();
    this.#idle.resolve();
    this.#prompt.entries.end();
  }
}
