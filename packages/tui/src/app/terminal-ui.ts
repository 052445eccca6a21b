import { describeError, inertText, type SessionEvent } from '@bulkhead/protocol';
import { emptyTranscript, firstLine, type TranscriptView } from '@bulkhead/protocol/transcript';
import { SessionFeed, type UiPlace } from '../link/session-feed.ts';
import type { Look } from '../look/look.ts';
import { createCompletion } from '../prompt/completion.ts';
import { FileNames } from '../prompt/file-names.ts';
import type { Entry } from '../prompt/prompt.ts';

import { activityLine } from '../status/activity-line.ts';
import { footer } from '../status/footer.ts';
import { queueLines } from '../status/queue-lines.ts';
import { type NoteTone, TranscriptPane } from '../transcript/transcript-pane.ts';
import { Approvals } from './approvals.ts';
import { CommandRunner } from './command-runner.ts';
import { ContextMeter } from './context-meter.ts';
import type { FirstFrame } from './first-frame.ts';

import { KeyActions } from './key-actions.ts';
import { Messages } from './messages.ts';
import { ownCommands } from './own-commands.ts';
import { Panels, type Pick } from './panels.ts';
import { RunCancel } from './run-cancel.ts';
import { saidBefore } from './said-before.ts';
import type { Screen, ScreenDriver } from './screen.ts';

import type { UiActions } from './ui-actions.ts';
import type { UiCommand, UiDelivery, UiEnd, UiOptions, UiSeat } from './ui-options.ts';

/** The terminal UI: one session at a time, its events in, what a person does out. */
export class TerminalUi implements UiActions {
  readonly options: UiOptions;
  readonly screen: Screen;
  readonly commands: readonly UiCommand[];
  readonly #left = new AbortController();
  readonly #end = Promise.withResolvers<void>();
  readonly #messages: Messages;
  readonly #panels: Panels;
  readonly #approvals: Approvals;
  readonly #meter: ContextMeter;
  readonly #runner: CommandRunner;
  readonly #cancel: RunCancel;
  readonly #first: FirstFrame;
  #feed: SessionFeed | undefined;
  /** Of the session that is shown: fires when another one is. */
  #shown = new AbortController();
  #connected = true;
  #dryRun: boolean;
  #failure: unknown;

  /**
   * @param screen drawn already
   * @param first what drives it, and keeps what is entered, until there is a session
   */
  constructor(options: UiOptions, screen: Screen, first: FirstFrame) {
    const { link, clock } = options;
    this.options = options;
    this.screen = screen;
    this.#first = first;
    this.#dryRun = options.dryRun;
    this.#messages = new Messages(options, this.signal);
    this.#meter = new ContextMeter(link);
    this.#runner = new CommandRunner({
      left: this.signal,
      seat: (signal) => this.#seat(signal),
      say: (text) => this.say(text),
    });
    const say = (text: string) => this.say(text);
    this.#cancel = new RunCancel({ timers: options.timers, messages: this.#messages, say });
    this.#panels = new Panels(this.screen, say);
    this.#approvals = new Approvals({ link, clock, screen: this.screen, say });
    const own = ownCommands(this, options.commands);
    const names = new Set(own.map(({ name }) => name));
    this.commands = [...own, ...options.commands.filter(({ name }) => !names.has(name))];
  }

  get sessionId(): string {
    return this.#feed?.place.sessionId ?? '';
  }

  get view(): TranscriptView {
    return this.#feed?.view ?? emptyTranscript();
  }

  get signal(): AbortSignal {
    return this.#left.signal;
  }

  /**
   * Shows a session, does what was entered before, and stays until the person leaves.
   *
   * @param sessionId undefined for a new session
   * @throws BulkheadError for a session that can't be shown
   */
  async run(sessionId: string | undefined): Promise<UiEnd> {
    try {
      await Promise.race([this.#begin(sessionId), this.#end.promise]);
      await this.#end.promise;
      const run = this.#cancel.isAsked ? 'cancelling' : this.#feed?.busy === true ? 'running' : 'none';
      return { sessionId: this.sessionId, run, failure: this.#failure };
    } finally {
      this.#left.abort();
      this.#feed?.[Symbol.dispose]();
    }
  }

  say(text: string, tone?: NoteTone): void {
    this.screen.say(inertText(text), tone);
  }

  leave(): void {
    if (this.#cancel.isAsked) this.say('leaving as soon as the run is cancelled');
    void this.#cancel.known().then(() => {
      this.#end.resolve();
      this.#left.abort();
    });
  }

  pick(pick: Pick): void {
    this.#panels.pick(pick);
  }

  async open(sessionId: string | undefined): Promise<void> {
    const place = await this.options.place(sessionId);
    const feed = this.#createFeed(place);
    await feed.read();
    const before = this.#feed;
    this.#shown.abort();
    this.#shown = new AbortController();
    this.#feed = feed;
    before?.[Symbol.dispose]();
    this.#cancel.forget();
    if (before === undefined) this.#attach();
    this.screen.open(feed.view);
    for (const text of saidBefore(feed.view)) this.screen.prompt.remember(text);
    this.#tellPlace(place, before);
    this.#approvals.take(feed.view, place.sessionId, this.#shown.signal);
    void feed.follow();
    void this.#refreshMeter();
  }

  async runCommand(name: string, argument: string): Promise<void> {
    const command = this.commands.find((one) => one.name === name);
    if (command !== undefined) await this.#runner.run((seat) => command.run(argument, seat));
  }

  async #begin(sessionId: string | undefined): Promise<void> {
    await this.open(sessionId);
    for (const { text, tone } of this.options.notices) this.say(text, tone);
    for (const { text, as } of this.#first.take()) await this.#enter(text, as);
  }

  #attach(): void {
    const { options } = this;
    const { clock } = options;
    const files = new FileNames(clock, this.signal);
    const busy = () => this.#feed?.busy ?? false;
    const keys = new KeyActions({
      clock,
      screen: () => this.screen,
      busy,
      isCancelling: () => this.#cancel.isAsked,
      cancelRun: () => this.#withFeed((feed) => this.#askToCancel(feed)),
      cancelCommand: () => this.#runner.cancel(),
      takeBack: () => this.#withFeed((feed) => this.#takeBack(feed)),
      command: (name) => void this.runCommand(name, ''),
      say: (text) => this.say(text),
      suspend: () => options.suspend(),
      leave: () => this.leave(),
    });
    const driver: ScreenDriver = {
      onEntry: (text, as) => void this.#enter(text, as),
      onKey: (action) => keys.take(action),
      status: (look, width) => this.#status(look, width),
      footer: (look, width) => this.#footer(look, width),
      busy,
    };
    const completion = createCompletion({
      commands: () => this.commands,
      templates: (signal) => options.templates(this.#folder, signal),
      files: () => files.below(this.#folder),
    });
    this.screen.attach(driver, new TranscriptPane(this.view, this.screen.look), completion);
  }

  #createFeed(place: UiPlace): SessionFeed {
    const feed: SessionFeed = new SessionFeed({
      link: this.options.link,
      place,
      onEvent: (view, event) => this.#onEvent(feed, view, event),
      onConnection: (connection) => this.#onConnection(connection),
      onFailure: (cause) => {
        this.#failure = cause;
        this.leave();
      },
    });
    return feed;
  }

  get #folder(): string {
    return this.#feed?.place.folder ?? '';
  }

  #status(look: Look, width: number): string[] {
    const waiting = queueLines(this.view, this.#messages.own, look, width);
    if (this.#feed?.busy !== true) return waiting;
    const { clock } = this.options;
    return [...waiting, activityLine(this.view, this.#cancel.isAsked, clock.now(), look, width)];
  }

  #footer(look: Look, width: number): string {
    const facts = {
      model: this.options.model.name,
      window: this.#meter.window,
      used: this.#meter.used,
      folder: this.#folder,
      offTheRecord: this.options.mode.offTheRecord,
      dryRun: this.#dryRun,
      connected: this.#connected,
    };
    return footer(this.view, facts, look, width);
  }

  #tellPlace({ sessionId, folder }: UiPlace, before: SessionFeed | undefined): void {
    if (before?.busy === true && before.place.sessionId !== sessionId) {
      this.say(`the run in session ${before.place.sessionId} goes on without you`);
    }
    this.say(`session ${sessionId} · ${this.options.model.name} · ${folder || '(unknown folder)'} · /help`);
  }

  #onEvent(feed: SessionFeed, view: TranscriptView, event: SessionEvent): void {
    if (feed !== this.#feed) return;
    if (event.type === 'settled') this.#messages.own.delete(event.message);
    this.#cancel.take(feed, event);
    this.screen.show(view);
    this.#approvals.take(view, feed.place.sessionId, this.#shown.signal);
    if (event.type === 'idle' || event.type === 'session_compact') void this.#refreshMeter();
  }

  #onConnection(connection: 'lost' | 'back'): void {
    this.#connected = connection === 'back';
    this.screen.show(this.view);
    if (connection === 'back') void this.#attempt(() => this.options.onBack((text) => this.say(text)));
  }

  async #refreshMeter(): Promise<void> {
    if (await this.#meter.refresh(this.sessionId, this.signal)) this.screen.draw();
  }

  async #enter(text: string, as: Entry): Promise<void> {
    const entry = this.options.parse(text, this.commands);
    if (entry.kind === 'message')
      await this.#attempt(
        () => this.#send(entry.text, as),
        () => this.screen.prompt.restore(entry.text),
      );
    if (entry.kind === 'command') await this.#runner.run((seat) => entry.command.run(entry.argument, seat));
    if (entry.kind === 'template')
      await this.#runner.run((seat) => this.#sendTemplate(entry.entry, entry.otherwise, seat));
    if (entry.kind === 'mistake') this.say(entry.reason);
  }

  async #send(text: string, delivery: UiDelivery): Promise<void> {
    const feed = this.#feed;
    if (feed === undefined) return;
    const sent = this.#messages.send(feed, text, delivery, this.#dryRun);
    this.screen.draw();
    await sent.finally(() => this.screen.draw());
  }

  async #sendTemplate(entry: string, otherwise: string, seat: UiSeat): Promise<void> {
    const text = await this.options.expand(seat.folder, entry, seat.signal);
    if (text === undefined) return this.say(otherwise);
    this.say(`(sent: ${firstLine(text)})`);
    await seat.send(text, 'steer');
  }

  async #takeBack(feed: SessionFeed): Promise<void> {
    const taken = await this.#messages.takeBack(feed);
    if ('reason' in taken) return this.say(taken.reason);
    const { prompt } = this.screen;
    prompt.draft = prompt.draft.trim() === '' ? taken.text : `${taken.text}\n${prompt.draft}`;
    this.screen.draw();
  }

  async #askToCancel(feed: SessionFeed): Promise<void> {
    const asked = this.#cancel.ask(feed);
    this.screen.draw();
    await asked;
    this.screen.draw();
  }

  #withFeed(work: (feed: SessionFeed) => Promise<void>): void {
    const feed = this.#feed;
    if (feed !== undefined) void this.#attempt(() => work(feed));
  }

  async #attempt(work: () => Promise<void>, otherwise?: () => void): Promise<void> {
    try {
      await work();
    } catch (cause) {
      if (this.signal.aborted) return;
      otherwise?.();
      this.say(describeError(cause), 'danger');
    }
  }

  #seat(signal: AbortSignal): UiSeat {
    const { steer, followUp } = this.view.queue;
    return {
      sessionId: this.sessionId,
      folder: this.#folder,
      signal,
      waiting: [...steer, ...followUp],
      own: this.#messages.own,
      thinking: (shown) => {
        if (shown !== undefined) this.screen.change({ thinking: shown });
        return this.screen.look.thinking;
      },
      dryRun: (wanted) => {
        if (wanted !== undefined) this.#dryRun = wanted;
        this.screen.draw();
        return this.#dryRun;
      },
      print: (text) => this.say(text),
      ask: (question) => this.#panels.ask(question, signal),
      send: (text, delivery) => this.#send(text, delivery),
      open: (sessionId) => this.open(sessionId),
      leave: () => this.leave(),
    };
  }
}
