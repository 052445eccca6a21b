import { randomBytes, randomInt } from 'node:crypto';
import type { Timers } from '@bulkhead/protocol';
import type { Sandbox, SessionSpaces, ShellBox } from '@bulkhead/sandbox';
import { PROXY } from '@bulkhead/tools';
import { PROXY_USER } from '../egress/proxy-password.ts';

/** Time without a process in it after which a session's network is given up. */
const IDLE_MS = 60_000;

/**
 * A command's place in the network of its session. Other processes in it can find the address and
 * reach it, but could not take it beforehand, and do not know the password.
 */
export interface SessionPlace extends SessionSpaces, Disposable {
  /** In 127.0.0.0/8. */
  readonly address: number;
  readonly port: number;
  /** Every request to the way out of this command must have it. */
  readonly password: string;
}

/** The lower three bytes: 127.1.0.0 to 127.254.255.255. */
const ADDRESSES = { from: 0x01_0000, to: 0xff_0000 } as const;
/** Above those of usual servers, and below those that the system gives out. */
const PORTS = { from: 10_000, to: 32_768 } as const;
const PASSWORD_BYTES = 24;

interface Kept {
  readonly spaces: Promise<SessionSpaces & Disposable>;
  users: number;
  idle: Disposable | undefined;
}

/**
 * The network that the commands of a session share: a server of one is reached by the next. It is
 * made for the first command, and exists as long as a process is in it, and a while longer. A lost
 * one loses nothing: no process was in it.
 */
export class SessionNetworks implements Disposable {
  readonly #sandbox: Pick<Sandbox, 'keepSession'>;
  readonly #timers: Timers;
  readonly #kept = new Map<string, Kept>();

  constructor(sandbox: Pick<Sandbox, 'keepSession'>, timers: Timers) {
    this.#sandbox = sandbox;
    this.#timers = timers;
  }

  /**
   * @returns the session's name spaces; dispose when all processes of the command have ended
   * @throws BulkheadError `sandbox_unavailable`; the next call tries again
   */
  async enter(sessionId: string): Promise<SessionPlace> {
    const kept = this.#kept.get(sessionId) ?? this.#make(sessionId);
    kept.idle?.[Symbol.dispose]();
    kept.idle = undefined;
    kept.users += 1;
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      this.#leave(sessionId, kept);
    };
    try {
      const { users, network } = await kept.spaces;
      return { users, network, ...randomPlace(), [Symbol.dispose]: leave };
    } catch (error) {
      if (this.#kept.get(sessionId) === kept) this.#kept.delete(sessionId);
      throw error;
    }
  }

  /** Gives all of them up; a process that is still in one keeps it. */
  [Symbol.dispose](): void {
    for (const [sessionId, kept] of this.#kept) this.#close(sessionId, kept);
  }

  #make(sessionId: string): Kept {
    const kept: Kept = { spaces: this.#sandbox.keepSession(), users: 0, idle: undefined };
    this.#kept.set(sessionId, kept);
    return kept;
  }

  #leave(sessionId: string, kept: Kept): void {
    kept.users -= 1;
    if (kept.users > 0 || this.#kept.get(sessionId) !== kept) return;
    kept.idle = this.#timers.after(IDLE_MS, () => this.#close(sessionId, kept));
  }

  #close(sessionId: string, kept: Kept): void {
    kept.idle?.[Symbol.dispose]();
    if (this.#kept.get(sessionId) === kept) this.#kept.delete(sessionId);
    kept.spaces.then((spaces) => spaces[Symbol.dispose]()).catch(() => {});
  }
}

function randomPlace() {
  return {
    address: randomInt(ADDRESSES.from, ADDRESSES.to),
    port: randomInt(PORTS.from, PORTS.to),
    password: randomBytes(PASSWORD_BYTES).toString('base64url'),
  };
}

/** Options of the box of a command in that place; its own network without one. */
export function inNetwork(
  place: SessionPlace | undefined,
  hasWayOut = true,
): Pick<ShellBox, 'session' | 'egressNumber'> {
  if (place === undefined) return {};
  if (!hasWayOut) return { session: place };
  return { session: place, egressNumber: place.address * 65_536 + place.port };
}

/**
 * The environment of a command in that place: its way out is beside those of the others, with its
 * password.
 */
export function proxyAt(
  place: SessionPlace | undefined,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (place === undefined) return env;
  const { address, port, password } = place;
  const bytes = [127, address >> 16, (address >> 8) & 255, address & 255];
  const proxy = `http://${PROXY_USER}:${password}@${bytes.join('.')}:${port}`;
  const moved = (value: string): string => (value === PROXY ? proxy : value);
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, moved(value)]));
}
