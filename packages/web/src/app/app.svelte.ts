import { ALL_SESSIONS, type SessionEvent } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import { API_ROOT } from '@bulkhead/protocol/routes';
import { getContext, setContext } from 'svelte';
import { Api } from '../api/api.ts';
import { ApiError, errorText } from '../api/api-error.ts';
import { LiveStream, type Watcher } from '../live/live-stream.svelte.ts';
import { Appearance } from './appearance.svelte.ts';
import { OpenApprovals } from './open-approvals.svelte.ts';
import { Router } from './router.svelte.ts';
import { SessionList } from './session-list.svelte.ts';
import { TakenBack } from './taken-back.svelte.ts';
import { Toasts } from './toasts.svelte.ts';
import { UpToDate } from './up-to-date.svelte.ts';

const KEY = Symbol('app');

/** State that all pages share: the connection to the engine, and the frame around every page. */
export class App {
  readonly api: Api;
  /** Sessions shown by pages. */
  readonly live: LiveStream;
  /** Events of all sessions. */
  readonly news: News;
  readonly eventLog = new EventLog();
  readonly #newsStream: LiveStream;
  readonly router: Router;
  readonly sessions: SessionList;
  readonly approvals: OpenApprovals;
  readonly toasts = new Toasts((work, milliseconds) => void setTimeout(work, milliseconds));
  readonly takenBack: TakenBack;
  readonly appearance: Appearance;
  readonly upToDate: UpToDate;
  /** `unknown` until the first answer. */
  login: 'unknown' | 'in' | 'out' = $state('unknown');
  /** provider/model in use; empty until known. */
  model = $state('');
  /** Why a login failed; empty if none was tried. */
  loginProblem = $state('');

  constructor(window: Window & typeof globalThis) {
    const setTimer = (work: () => void, milliseconds: number) => void window.setTimeout(work, milliseconds);
    this.router = new Router(window);
    this.api = new Api({
      fetch: (...request) => window.fetch(...request),
      onRefused: () => this.#refused(),
    });
    const streamOptions = {
      connect: () =>
        new window.WebSocket(`${window.location.origin.replace(/^http/, 'ws')}${API_ROOT}/stream`),
      isRefused: () => this.#isRefused(),
      setTimer,
      random: Math.random,
    };
    this.live = new LiveStream(streamOptions);
    this.#newsStream = new LiveStream(streamOptions);
    this.news = new News(() => void this.catchUp().catch(() => undefined));
    this.sessions = new SessionList(this.api, setTimer);
    this.approvals = new OpenApprovals(this.api, window.localStorage);
    this.takenBack = new TakenBack(this.api);
    this.appearance = new Appearance(window.localStorage, window.document.documentElement);
    this.upToDate = new UpToDate(window);
    this.#newsStream.watch(ALL_SESSIONS, this.news);
    // Opening a login link on an open page changes only the part after `#`.
    window.addEventListener('hashchange', () => void this.start());
    this.news.listen((event) => this.#heard(event));
  }

  /** Logs in if the address holds a code, otherwise checks the current login. */
  async start(): Promise<void> {
    const code = takeCode();
    if (code === '') {
      if (this.login === 'unknown') await this.enter();
      return;
    }
    try {
      await this.api.logIn(code);
    } catch (error) {
      this.loginProblem = errorText(error);
    }
    await this.enter();
  }

  /** Starts listening if the login is valid; retries while the engine does not answer. */
  async enter(): Promise<void> {
    try {
      this.model = (await this.api.call(ClientService.method.status, {})).model;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unreachable') {
        setTimeout(() => void this.enter(), 1_000);
        return;
      }
      if (this.login !== 'out') this.fail(error);
      return;
    }
    this.login = 'in';
    this.loginProblem = '';
    this.live.start();
    this.#newsStream.start();
    await this.catchUp().catch((error) => this.fail(error));
  }

  /** Loads state that missed events would have changed. */
  async catchUp(): Promise<void> {
    await Promise.all([this.sessions.refresh(), this.approvals.refresh(), this.upToDate.check()]);
  }

  /** Runs an action and shows its error. @returns undefined if it failed */
  async attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  fail(error: unknown): void {
    if (error instanceof ApiError && error.code === 'unauthenticated') return;
    this.toasts.show('bad', errorText(error));
  }

  #heard(event: SessionEvent): void {
    this.eventLog.add(event);
    this.sessions.heard(event);
    this.approvals.heard(event);
  }

  async #isRefused(): Promise<boolean> {
    try {
      await this.api.call(ClientService.method.status, {});
      return false;
    } catch (error) {
      return error instanceof ApiError && error.code === 'unauthenticated';
    }
  }

  /** Shows the login page. */
  leave(): void {
    this.#refused();
  }

  #refused(): void {
    this.login = 'out';
    this.live.stop();
    this.#newsStream.stop();
  }
}

/** The code of a login link. It is removed from the address and the history immediately. */
function takeCode(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get('login') ?? '';
  if (code !== '') history.replaceState(null, '', location.pathname + location.search);
  return code;
}

export function provideApp(app: App): void {
  setContext(KEY, app);
}

export function useApp(): App {
  return getContext<App>(KEY);
}

const MOST = 500;

/** Recent events of all sessions since the page was opened. */
class EventLog {
  #events: readonly SessionEvent[] = $state.raw([]);

  /** Newest first. */
  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  add(event: SessionEvent): void {
    this.#events = [event, ...this.#events].slice(0, MOST);
  }
}

/** Live events of all sessions, for any listener. */
class News implements Watcher {
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly #onMissed: () => void;

  /** @param onMissed called whenever events were missed, or may have been */
  constructor(onMissed: () => void) {
    this.#onMissed = onMissed;
  }

  /** Durable events only. @returns a function that ends the listening */
  listen(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  after(): number {
    return 0;
  }

  take(events: readonly SessionEvent[]): void {
    if (events.some(({ type }) => type === 'gap')) this.#onMissed();
    for (const event of events) {
      if (event.ephemeral !== true) for (const listener of this.#listeners) listener(event);
    }
  }

  /** The new connection begins with a `gap`, which reports the same. */
  missed(): void {}
}
