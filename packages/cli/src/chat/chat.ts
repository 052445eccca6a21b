import { describeError, type SessionEvent } from '@bulkhead/protocol';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { ApprovalDesk } from '../conversation/approval-desk.ts';
import { parseEvent } from '../conversation/parse-event.ts';
import { Transcript } from '../conversation/transcript.ts';
import type { EngineLink } from '../engine-link.ts';
import { type Environment, hasPerson } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { Output } from '../output/output.ts';
import { CHAT_COMMANDS, type ChatInput, parseChatInput } from './chat-input.ts';
import { ChatView } from './chat-view.ts';
import { PromptLine } from './prompt-line.ts';

/** A second Ctrl-C within this time leaves, milliseconds. */
const LEAVE_MS = 2_000;

/** After these nothing runs, unless something is waiting; then its start says so. */
const OVER: ReadonlySet<string> = new Set(['settled', 'idle']);

export interface ChatOptions {
  readonly link: EngineLink;
  readonly environment: Environment;
  /** Absolute path, for new sessions. */
  readonly workingFolder: string;
  /** The model in use, to show. */
  readonly model: string;
}

/**
 * One chat at a terminal (or a pipe): entries in, events out, at the same time. Messages entered during a
 * run are sent at once; the engine runs them in order.
 */
export class Chat {
  readonly #link: EngineLink;
  readonly #environment: Environment;
  readonly #workingFolder: string;
  readonly #output: Output;
  readonly #view: ChatView;
  readonly #prompt: PromptLine;
  readonly #desk: ApprovalDesk | undefined;
  readonly #left = new AbortController();
  /** Messages sent from here. */
  readonly #own = new Set<string>();
  readonly #unsettled = new Set<string>();
  #model: string;
  #modelOverride = '';
  #session = '';
  #watching = new AbortController();
  #watch: Promise<void> = Promise.resolve();
  #failure: unknown;
  #foreign = false;
  #busy = false;
  #idle = Promise.withResolvers<void>();
  #lastInterrupt = Number.NEGATIVE_INFINITY;

  constructor(options: ChatOptions) {
    const { environment, link } = options;
    this.#link = link;
    this.#environment = environment;
    this.#workingFolder = options.workingFolder;
    this.#model = options.model;
    this.#output = new Output(environment.stdout, environment.env);
    this.#view = new ChatView(this.#output);
    this.#prompt = new PromptLine({
      input: environment.stdin,
      output: environment.stdout,
      prompt: this.#output.palette.cyan('> '),
      onInterrupt: () => this.#interrupt(),
    });
    this.#desk = hasPerson(environment)
      ? new ApprovalDesk(link, this.#output, (question, signal) => this.#prompt.ask(question, signal))
      : undefined;
  }

  /**
   * @param sessionId undefined for a new session
   * @returns the exit code
   */
  async run(sessionId: string | undefined): Promise<number> {
    using _prompt = this.#prompt;
    using _signals = this.#environment.onInterrupt(() => this.#leave());
    this.#output.gone.addEventListener('abort', () => this.#leave(), { once: true });
    await this.#open(sessionId);
    this.#showPrompt();
    for await (const entry of this.#prompt.entries) {
      if (this.#left.signal.aborted) break;
      const goOn = await this.#enter(parseChatInput(entry));
      if (!goOn) this.#left.abort();
      if (this.#left.signal.aborted) break;
      this.#showPrompt();
    }
    if (!this.#left.signal.aborted && !this.#environment.stdin.isTTY) await this.#untilQuiet();
    return this.#close();
  }

  async #close(): Promise<number> {
    this.#watching.abort();
    await this.#watch;
    if (this.#failure !== undefined) throw this.#failure;
    this.#prompt.hide();
    if (this.#environment.stdin.isTTY) {
      this.#output.line(`go on with: bulkhead chat --session ${this.#output.safe(this.#session)}`);
    }
    return EXIT.completed;
  }

  /** @returns false to leave */
  async #enter(input: ChatInput): Promise<boolean> {
    try {
      return await this.#obey(input);
    } catch (cause) {
      this.#output.line(this.#output.palette.red(this.#output.safe(describeError(cause))));
      return true;
    }
  }

  async #obey(input: ChatInput): Promise<boolean> {
    switch (input.kind) {
      case 'nothing':
        return true;
      case 'message':
        await this.#send(input.text);
        return true;
      case 'help':
        for (const [name, about] of CHAT_COMMANDS) this.#output.line(`  ${name.padEnd(24)}  ${about}`);
        this.#output.line('  Ctrl-C cancels the run; twice with nothing running leaves.');
        return true;
      case 'new':
        await this.#open(undefined);
        return true;
      case 'session':
        await this.#open(input.id);
        return true;
      case 'sessions':
        await this.#list();
        return true;
      case 'model':
        if (input.name !== '') this.#modelOverride = input.name;
        this.#output.line(`model: ${this.#output.safe(this.#modelOverride || this.#model)}`);
        return true;
      case 'thinking':
        this.#view.showThinking = !this.#view.showThinking;
        this.#output.line(`thinking is ${this.#view.showThinking ? 'shown' : 'hidden'}`);
        return true;
      case 'mistake':
        this.#output.line(input.reason);
        return true;
      case 'quit':
        return false;
    }
  }

  async #send(content: string): Promise<void> {
    const messageId = this.#environment.newId();
    if (this.#busy) this.#output.line(this.#output.palette.dim('(queued)'));
    this.#own.add(messageId);
    this.#unsettled.add(messageId);
    this.#setBusy(true);
    const options = {
      approve: this.#desk === undefined ? ApprovalMode.DENY : ApprovalMode.ASK,
      model: this.#modelOverride,
    };
    const request = { sessionId: this.#session, messageId, content, options };
    try {
      await this.#link.repeat((client) => client.sendMessage(request), this.#left.signal);
    } catch (cause) {
      this.#unsettled.delete(messageId);
      this.#setBusy(this.#unsettled.size > 0);
      throw cause;
    }
  }

  async #list(): Promise<void> {
    const { sessions } = await this.#link.repeat((client) => client.listSessions(20), this.#left.signal);
    for (const { sessionId, title, updatedAt } of sessions) {
      const mark = sessionId === this.#session ? '*' : ' ';
      const text = [sessionId, updatedAt, title.replaceAll('\n', ' ')].join('  ');
      this.#output.line(`${mark} ${this.#output.safe(text)}`);
    }
  }

  /** Leaves the session at hand and shows another, from its first event on, or a new one. */
  async #open(sessionId: string | undefined): Promise<void> {
    const id =
      sessionId ?? (await this.#link.once((client) => client.createSession(this.#workingFolder))).sessionId;
    const transcript = new Transcript(this.#output);
    let seq = 0;
    let last = 'idle';
    const past = await this.#link.once(async (client) => client.watch({ sessionId: id, afterSeq: 0 }));
    for await (const line of past) {
      const event = parseEvent(line.json);
      if (event !== undefined) transcript.show(event);
      if (line.ephemeral) continue;
      seq = line.seq;
      last = line.type;
    }
    this.#watching.abort();
    await this.#watch;
    this.#session = id;
    this.#unsettled.clear();
    this.#setBusy(!OVER.has(last));
    this.#watching = new AbortController();
    this.#watch = this.#follow(id, seq, this.#watching.signal);
    const { dim, yellow } = this.#output.palette;
    const folder = sessionId === undefined ? this.#workingFolder : await this.#folderOf(id);
    const facts = [`session ${id}`, this.#model, folder, '/help'].map((fact) => this.#output.safe(fact));
    this.#output.line(dim(facts.join(' · ')));
    if (folder !== this.#workingFolder) {
      this.#output.line(
        yellow(`this session works in ${this.#output.safe(folder)}, not in the folder you are in`),
      );
    }
  }

  /** Where a session works: its own folder, wherever it is opened. */
  async #folderOf(sessionId: string): Promise<string> {
    const { sessions } = await this.#link.once((client) => client.listSessions(0));
    return sessions.find((session) => session.sessionId === sessionId)?.workingFolder ?? '(unknown folder)';
  }

  async #follow(sessionId: string, afterSeq: number, signal: AbortSignal): Promise<void> {
    const onLost = () => this.#output.line(this.#output.palette.yellow('… the engine is away, trying again'));
    try {
      for await (const { json } of this.#link.watch(sessionId, afterSeq, signal, onLost)) {
        const event = parseEvent(json);
        if (event !== undefined) this.#take(event, signal);
      }
    } catch (cause) {
      if (signal.aborted) return;
      this.#failure = cause;
      this.#leave();
    }
  }

  #take(event: SessionEvent, signal: AbortSignal): void {
    if (event.type === 'agent_start') {
      this.#foreign = !this.#own.has(event.message);
      this.#setBusy(true);
    }
    this.#view.show(event, this.#foreign);
    this.#desk?.take(event, signal);
    if (event.type === 'settled') this.#unsettled.delete(event.message);
    if (!OVER.has(event.type) || this.#unsettled.size > 0) return;
    this.#setBusy(false);
    this.#showPrompt();
  }

  #setBusy(busy: boolean): void {
    if (busy) this.#prompt.hide();
    else this.#idle.resolve();
    if (busy && !this.#busy) this.#idle = Promise.withResolvers();
    this.#busy = busy;
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
    if (this.#busy) {
      this.#cancelRun();
    } else if (this.#prompt.draft !== '') {
      this.#prompt.clearDraft();
    } else if (now - this.#lastInterrupt < LEAVE_MS) {
      this.#leave();
    } else {
      this.#lastInterrupt = now;
      this.#output.own('\n');
      this.#output.line('Ctrl-C again leaves.');
      this.#prompt.show();
    }
  }

  #cancelRun(): void {
    this.#link
      .repeat((client) => client.cancelRun(this.#session), this.#left.signal)
      .catch((cause: unknown) => this.#output.line(this.#output.safe(describeError(cause))));
  }

  #leave(): void {
    this.#left.abort();
    this.#idle.resolve();
    this.#prompt.entries.end();
  }
}
