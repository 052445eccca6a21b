import { describeError, inertText, type SessionEvent } from '@bulkhead/protocol';
import { emptyTranscript, type TranscriptView } from '@bulkhead/protocol/transcript';
import { SessionFeed, type UiPlace } from '../link/session-feed.ts';
import type { Look } from '../look/look.ts';
import { sessionCompletion } from '../prompt/session-completion.ts';
import { footer } from '../status/footer.ts';
import { statusLines } from '../status/status-lines.ts';
import { type NoteTone, TranscriptPane } from '../transcript/transcript-pane.ts';
import { Approvals } from './approvals.ts';
import { CommandRunner } from './command-runner.ts';
import { ContextMeter } from './context-meter.ts';
import { Entries } from './entries.ts';
import type { FirstFrame } from './first-frame.ts';
import { KeyActions } from './key-actions.ts';
import { Messages } from './messages.ts';
import { withOwnCommands } from './own-commands.ts';
import { Panels, type Pick } from './panels.ts';
import { RunCancel } from './run-cancel.ts';
import { saidBefore } from './said-before.ts';
import type { Screen, ScreenDriver } from './screen.ts';
import type { UiActions } from './ui-actions.ts';
import type { UiCommand, UiEnd, UiOptions, UiSeat } from './ui-options.ts';

/** The terminal UI: one session at a time, events in, a person's actions out. */
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
  readonly #entries: Entries;
  readonly #first: FirstFrame;
  #feed: SessionFeed | undefined;
  /** Signal of the current session: fires when another one is shown. */
  #shown = new AbortController();
  #connected = true;
  #dryRun: boolean;
  #failure: unknown;

  /**
   * @param screen already drawn
   * @param first drives the screen and keeps entries until a session exists
   */
  constructor(options: UiOptions, screen: Screen, first: FirstFrame) {
    const { link, clock, timers } = options;
    const say = (text: string, tone?: NoteTone) => this.say(text, tone);
    const changed = () => screen.draw();
    const steer = (text: string) => this.#entries.send(text, 'steer');
    const messages = new Messages(options, this.signal);
    this.options = options;
    this.screen = screen;
    this.#first = first;
    this.#dryRun = options.dryRun;
    this.#messages = messages;
    this.#meter = new ContextMeter(link);
    const seat = (signal: AbortSignal) => this.#seat(signal);
    this.#runner = new CommandRunner({ left: this.signal, seat, say, changed });
    this.#cancel = new RunCancel({ timers: options.timers, messages, say, changed });
    this.#entries = new Entries({
      options,
      commands: () => this.commands,
      screen,
      messages,
      runner: this.#runner,
      feed: () => this.#feed,
      dryRun: () => this.#dryRun,
      left: this.signal,
      say,
    });
    this.#panels = new Panels(screen, say);
    this.#approvals = new Approvals({ link, clock, timers, screen, say, steer });
    this.commands = withOwnCommands(this, options.commands);
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
   * Shows a session, processes earlier entries, and stays until the person leaves.
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
    if (this.#cancel.isAsked) this.say('exiting once the run is cancelled');
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
    if (command !== undefined) await this.#runner.run(`/${name}`, (seat) => command.run(argument, seat));
  }

  async #begin(sessionId: string | undefined): Promise<void> {
    await this.open(sessionId);
    for (const { text, tone } of this.options.notices) this.say(text, tone);
    for (const { text, as } of this.#first.take()) await this.#entries.enter(text, as);
  }

  #attach(): void {
    const { clock, templates, suspend } = this.options;
    const busy = () => this.#feed?.busy ?? false;
    const moves = () => busy() || this.#runner.running !== undefined;
    const keys = new KeyActions({
      clock,
      screen: () => this.screen,
      busy,
      isCancelling: () => this.#cancel.isAsked,
      cancelRun: () => this.#withFeed((feed) => this.#cancel.ask(feed)),
      cancelCommand: () => this.#runner.cancel(),
      takeBack: () => this.#withFeed((feed) => this.#entries.takeBack(feed)),
      command: (name) => void this.runCommand(name, ''),
      say: (text) => this.say(text),
      suspend,
      leave: () => this.leave(),
    });
    const driver: ScreenDriver = {
      onEntry: (text, as) => void this.#entries.enter(text, as),
      onKey: (action) => keys.take(action),
      status: (look, width) => this.#status(look, width),
      footer: (look, width) => this.#footer(look, width),
      busy: moves,
    };
    const sources = {
      clock,
      commands: () => this.commands,
      templates,
      folder: () => this.#feed?.place.folder ?? '',
    };
    const completion = sessionCompletion(sources, this.signal);
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

  #status(look: Look, width: number): string[] {
    const isAsking = this.screen.bottom.panel !== undefined;
    const facts = {
      view: this.view,
      own: this.#messages.own,
      busy: this.#feed?.busy ?? false,
      cancelling: this.#cancel.isAsked,
      command: isAsking ? undefined : this.#runner.running,
      loss: this.#feed?.loss ?? '',
      now: this.options.clock.now(),
    };
    return statusLines(facts, look, width);
  }

  #footer(look: Look, width: number): string {
    const facts = {
      model: this.options.model.name,
      window: this.#meter.window,
      used: this.#meter.used,
      folder: this.#feed?.place.folder ?? '',
      offTheRecord: this.options.mode.offTheRecord,
      dryRun: this.#dryRun,
      connected: this.#connected,
      readOnly: (this.#feed?.loss ?? '') !== '',
    };
    return footer(this.view, facts, look, width);
  }

  #tellPlace({ sessionId, folder }: UiPlace, before: SessionFeed | undefined): void {
    if (before?.busy === true && before.place.sessionId !== sessionId)
      this.say(`the run in session ${before.place.sessionId} continues in the background`);
    const where = folder === this.options.folder ? [] : [folder || '(unknown folder)'];
    this.say([`session ${sessionId}`, this.options.model.name, ...where, '/help'].join(' · '));
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

  #withFeed(work: (feed: SessionFeed) => Promise<void>): void {
    const feed = this.#feed;
    if (feed !== undefined) void this.#attempt(() => work(feed));
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      if (!this.signal.aborted) this.say(describeError(cause), 'danger');
    }
  }

  #seat(signal: AbortSignal): UiSeat {
    const { steer, followUp } = this.view.queue;
    return {
      sessionId: this.sessionId,
      folder: this.#feed?.place.folder ?? '',
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
      send: (text, delivery) => this.#entries.send(text, delivery),
      open: (sessionId) => this.open(sessionId),
      leave: () => this.leave(),
    };
  }
}
