import type { IncomingMessage } from 'node:http';
import type { Clock } from '@bulkhead/protocol';
import { refusal } from '../answer.ts';
import { FailedProofs } from './failed-proofs.ts';
import { checkCookieCall } from './host-and-origin.ts';
import type { Access, Login, Proof } from './proof.ts';
import type { ProvenSockets } from './proven-sockets.ts';
import { readCookie } from './session-cookie.ts';

/** Longest secret that is looked at. */
const MAX_SECRET = 256;

/** Who calls: the one place where a request becomes somebody's. */
export class Gate {
  readonly #access: Access;
  readonly #sockets: ProvenSockets;
  readonly #failed: FailedProofs;
  readonly #port: number;

  constructor(parts: {
    readonly access: Access;
    readonly sockets: ProvenSockets;
    readonly clock: Pick<Clock, 'monotonic'>;
    readonly port: number;
  }) {
    this.#access = parts.access;
    this.#sockets = parts.sockets;
    this.#failed = new FailedProofs(parts.clock);
    this.#port = parts.port;
  }

  /**
   * @throws BulkheadError `unauthenticated` (401) without a valid proof, `rate_limit` (429) after too many wrong ones, `denied` (403) for a
   *   cookie where the page can't be ours
   */
  prove(request: IncomingMessage, isUpgrade = false): Proof {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const secret = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? '';
      return this.#known(request, () => this.#access.prove(bounded(secret), 'bearer'));
    }
    const cookie = readCookie(request.headers.cookie, this.#port);
    if (cookie === undefined) throw unproven('this needs a proof of who asks');
    checkCookieCall(request, isUpgrade);
    return this.#known(request, () => this.#access.prove(bounded(cookie), 'cookie'));
  }

  /**
   * @returns undefined if the code is wrong, and the browser is logged in: any page can lead here with a wrong one, and spends no guess
   * @throws BulkheadError `unauthenticated` (401), `rate_limit` (429)
   */
  async logIn(request: IncomingMessage, code: string): Promise<Login | undefined> {
    this.#failed.check();
    // Counted before it is known: others may try while this one waits.
    this.#failed.count();
    const login = await this.#access.logIn(bounded(code));
    const cookie = readCookie(request.headers.cookie, this.#port) ?? '';
    if (login !== undefined || this.#access.prove(bounded(cookie), 'cookie') !== undefined) {
      this.#failed.forgive();
      return login;
    }
    throw refusal(401, 'unauthenticated', 'this login code is not valid: it works once, for a minute', {
      fix: 'Get another link with `bulkhead token --login`.',
    });
  }

  /** A socket that proved itself before is no stranger that guesses: it is heard also while others are not. */
  #known(request: IncomingMessage, prove: () => Proof | undefined): Proof {
    if (!this.#sockets.isKnown(request.socket)) this.#failed.check();
    const proof = prove();
    if (proof === undefined) {
      this.#failed.count();
      this.#sockets.doubt(request.socket);
      throw unproven('this token or login is not valid (any more)');
    }
    this.#sockets.bind(proof, request.socket);
    return proof;
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
