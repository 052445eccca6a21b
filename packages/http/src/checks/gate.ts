import type { IncomingMessage } from 'node:http';
import type { BulkheadError, Clock, Timers } from '@bulkhead/protocol';
import { refusal } from '../answer.ts';
import { checkCookieCall } from './host-and-origin.ts';
import type { Access, Login, Proof } from './proof.ts';
import type { ProvenSockets } from './proven-sockets.ts';
import { RequestRate } from './request-rate.ts';
import { readCookie } from './session-cookie.ts';

/** Longest secret that is checked. */
const MAX_SECRET = 256;
const WRONG_CODE = 'this login code is not valid: it works once, for a minute';

/**
 * Authenticates callers: the one place where a request gets its identity. The proof is checked
 * before anything is counted, and a valid one always passes: no number of wrong proofs and no flood
 * of strangers keeps the owner out.
 */
export class Gate {
  readonly #access: Access;
  readonly #sockets: ProvenSockets;
  readonly #failed: FailedProofs;
  /** Requests with a missing or wrong proof where one is needed. */
  readonly #strangers: RequestRate;
  /** Requests of strangers for public paths. */
  readonly #visitors: RequestRate;
  readonly #timers: Timers;
  readonly #port: number;

  constructor(parts: {
    readonly access: Access;
    readonly sockets: ProvenSockets;
    readonly clock: Pick<Clock, 'monotonic'>;
    readonly timers: Timers;
    readonly port: number;
  }) {
    this.#access = parts.access;
    this.#sockets = parts.sockets;
    this.#failed = new FailedProofs(parts.clock);
    this.#strangers = new RequestRate(parts.clock, 600, 200);
    this.#visitors = new RequestRate(parts.clock, 600, 200);
    this.#timers = parts.timers;
    this.#port = parts.port;
  }

  /**
   * @throws BulkheadError `unauthenticated` (401) without a valid proof, `rate_limit` (429) after
   *   many wrong ones or too many requests without one; `denied` (403) for a cookie where the page
   *   may be foreign
   */
  async prove(request: IncomingMessage, isUpgrade = false): Promise<Proof> {
    const { authorization } = request.headers;
    const cookie = this.#cookieOf(request);
    if (authorization === undefined && cookie === undefined) {
      this.#strangers.take();
      throw unproven('this needs a token or a login');
    }
    if (authorization === undefined) checkCookieCall(request, isUpgrade);
    const proof = this.#find(authorization, cookie);
    if (proof === undefined) {
      const kind = authorization === undefined ? 'login' : 'token';
      throw await this.#wrong(kind, unproven('this token or login is not valid, or not any more'));
    }
    this.#sockets.bind(proof, request.socket);
    return proof;
  }

  /**
   * For public paths. @throws BulkheadError `rate_limit` (429) if too many requests come without a
   * proof
   */
  admit(request: IncomingMessage): void {
    if (this.#find(undefined, this.#cookieOf(request)) === undefined) this.#visitors.take();
  }

  /**
   * @returns undefined if the code is wrong and the browser is already logged in: any page can
   *   link here with a wrong code, and it does not count as a guess
   * @throws BulkheadError `unauthenticated` (401), `rate_limit` (429)
   */
  async logIn(request: IncomingMessage, code: string): Promise<Login | undefined> {
    const login = await this.#access.logIn(bounded(code));
    if (login !== undefined || this.#find(undefined, this.#cookieOf(request)) !== undefined) return login;
    const fix = 'Get another link with `bulkhead token --login`.';
    throw await this.#wrong('code', refusal(401, 'unauthenticated', WRONG_CODE, { fix }));
  }

  #cookieOf({ headers }: IncomingMessage): string | undefined {
    return readCookie(headers.cookie, this.#port);
  }

  #find(authorization: string | undefined, cookie: string | undefined): Proof | undefined {
    if (authorization !== undefined) {
      const secret = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? '';
      return this.#access.prove(bounded(secret), 'bearer');
    }
    return cookie === undefined ? undefined : this.#access.prove(bounded(cookie), 'cookie');
  }

  /** @returns the error for a wrong secret, after its delay */
  async #wrong(kind: ProofKind, first: BulkheadError): Promise<BulkheadError> {
    this.#strangers.take();
    const wait = this.#failed.count(kind);
    if (wait === 0) return first;
    const { promise, resolve } = Promise.withResolvers<void>();
    using _timer = this.#timers.after(wait, resolve);
    await promise;
    return refusal(429, 'rate_limit', `${first.message}, and too many wrong ones were sent`, {
      ...(first.fix === undefined ? {} : { fix: first.fix }),
      retryAfterSeconds: 1,
    });
  }
}

function bounded(secret: string): string {
  return secret.length > MAX_SECRET ? '' : secret;
}

function unproven(message: string) {
  return refusal(401, 'unauthenticated', message, {
    fix: 'Send Authorization: Bearer TOKEN, with the token that `bulkhead token` prints, or log in with `bulkhead token --login`.',
  });
}

/**
 * Kinds of secrets that can be guessed. Each has its own count, so that a tab with an old cookie
 * does not slow tokens down.
 */
type ProofKind = 'token' | 'login' | 'code';

/** Wrong secrets of one kind that are answered without delay, in any minute. */
const AT_ONCE = 10;
const WINDOW_MS = 60_000;
/** Delay of the answer to each further wrong one, in milliseconds. */
const SLOWED_MS = 250;

/**
 * Slows guessing down. All wrong secrets count, from all sockets: every caller is on this machine,
 * and a loopback address costs nothing. A valid secret is never counted, slowed or refused, or
 * guessing could keep the owner out. A delay is enough: each secret has 256 random bits, so no rate
 * of guessing on one machine can succeed, and a limit of tries would add no protection.
 */
export class FailedProofs {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Times of the last wrong secrets that were answered without delay, by kind. */
  readonly #failures = new Map<ProofKind, readonly number[]>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /**
   * Counts a wrong secret. @returns how long its answer has to wait, in milliseconds; 0 for the
   * first few in a minute
   */
  count(kind: ProofKind): number {
    const now = this.#clock.monotonic();
    const recent = (this.#failures.get(kind) ?? []).filter((time) => now - time < WINDOW_MS);
    const isSlowed = recent.length >= AT_ONCE;
    this.#failures.set(kind, isSlowed ? recent : [...recent, now]);
    return isSlowed ? SLOWED_MS : 0;
  }
}
