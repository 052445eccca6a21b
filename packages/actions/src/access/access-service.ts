import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { Access, Login, Proof } from '@bulkhead/http';
import type { Context } from '@bulkhead/log/context';
import { BulkheadError, type MachineClock, OWNER_ID } from '@bulkhead/protocol';
import { type AccessDatabase, endedOnlyHere, type Grant, LOGIN_MS, livingGrants } from './access-database.ts';
import { LoginCodes } from './login-codes.ts';
import { readOwnerToken, writeOwnerToken } from './owner-token.ts';
import { findByHash, newSecret, secretHash } from './secret.ts';

const MAX_LOGINS = 50;
const MAX_PROGRAMS = 100;
/** A use is written at most this often. */
const USED_MS = 60_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

interface Owner extends Proof {
  readonly kind: 'owner';
  readonly hash: Uint8Array;
}

type AccessContext = Pick<Context, 'audit' | 'clock' | 'ids'>;

export interface AccessServiceParts {
  readonly database: AccessDatabase;
  /** The database in the home, if `database` is a temporary copy. */
  readonly home?: Pick<AccessDatabase, 'remove'>;
  /** Path of the owner's token. */
  readonly tokenPath: string;
  readonly machine: Pick<MachineClock, 'sinceBoot'>;
  readonly time: Pick<ConfirmedTime, 'confirmed' | 'atMost'>;
  /** Receives each token for redaction. Only the browser ever sees the secret of a cookie. */
  readonly onSecret: (token: string) => void;
}

/** Controls access over HTTP. Only the owner or the local socket's token creates and ends access. */
export class AccessService implements Access {
  readonly #context: AccessContext;
  readonly #parts: AccessServiceParts;
  readonly #codes: LoginCodes;
  readonly #grants: Map<string, Grant>;
  readonly #listeners = new Set<(id: string) => void>();
  /** Ended in this process, but valid again after a restart until the store can be written. */
  readonly #unwritten = new Map<string, Grant>();
  #owner: Owner | undefined;

  constructor(context: AccessContext, parts: AccessServiceParts) {
    this.#context = context;
    this.#parts = parts;
    this.#codes = new LoginCodes(context.clock, parts.machine);
    this.#grants = new Map(
      livingGrants({ ...parts, clock: context.clock }).map((grant) => [grant.id, grant]),
    );
    // Read at the start, so that it is redacted from the start.
    this.#ownerOnDisk();
  }

  prove(secret: string, way: 'bearer' | 'cookie'): Proof | undefined {
    const now = this.#context.clock.now();
    const candidates = [...this.#grants.values()].filter(
      ({ kind }) => (kind === 'login') === (way === 'cookie'),
    );
    const owner = way === 'bearer' ? [this.#ownerOnDisk()].filter((one) => one !== undefined) : [];
    const found = findByHash([...candidates, ...owner], secretHash(secret));
    if (found === undefined) return undefined;
    if ('created' in found) {
      if (found.ends !== undefined && this.#parts.time.atMost() >= found.ends) {
        this.#endLate(found);
        return undefined;
      }
      this.#noteUse(found, now);
    }
    return { id: found.id, kind: found.kind, name: found.name };
  }

  async logIn(code: string): Promise<Login | undefined> {
    if (!this.#codes.use(code)) return undefined;
    const made = this.#newGrant('login', '', LOGIN_MS);
    await this.#note('ACCESS_GIVEN', [made.grant]);
    const logins = this.#ofKind('login');
    await this.#end(logins.slice(0, Math.max(0, logins.length - MAX_LOGINS + 1)));
    this.#keep(made.grant);
    return { secret: made.secret, maxAgeSeconds: LOGIN_MS / 1_000 };
  }

  async logOut({ id }: Proof): Promise<void> {
    const grant = this.#grants.get(id);
    if (grant?.kind === 'login') await this.#end([grant]);
  }

  onEnd(listener: (id: string) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  createLoginCode(): { readonly code: string; readonly expires: number } {
    return this.#codes.create();
  }

  /**
   * Returns the owner's token; creates it if there is none. @throws BulkheadError
   * `unauthenticated`, `store_failed`
   */
  ownerToken(): string {
    const { tokenPath } = this.#parts;
    const token = readOwnerToken(tokenPath) ?? writeOwnerToken(tokenPath);
    this.#own(token);
    return token;
  }

  /** Replaces the owner's token. The old token, all logins and all open login codes end. */
  async rotate(): Promise<{ readonly token: string; readonly endedLogins: number }> {
    const before = this.#ownerOnDisk();
    const logins = this.#ofKind('login');
    this.#codes.clear();
    const token = writeOwnerToken(this.#parts.tokenPath);
    const owner = this.#own(token);
    if (before !== undefined) this.#tell(before.id);
    await this.#end(logins);
    await this.#note('ACCESS_GIVEN', [owner]);
    return { token, endedLogins: logins.length };
  }

  /**
   * @returns the token, which is shown only once. @throws BulkheadError `usage` for an invalid or
   * used name
   */
  async createProgram(name: string): Promise<string> {
    this.#checkProgram(name);
    const made = this.#newGrant('program', name, undefined);
    await this.#note('ACCESS_GIVEN', [made.grant]);
    // Another program may have taken the name during the write.
    this.#checkProgram(name);
    this.#keep(made.grant);
    this.#parts.onSecret(made.secret);
    return made.secret;
  }

  #checkProgram(name: string): void {
    if (!NAME.test(name)) {
      throw new BulkheadError(
        'usage',
        `${JSON.stringify(name.slice(0, 80))} can't be the name of a program`,
        { fix: 'Use letters, digits, ".", "_" and "-", at most 64 of them.' },
      );
    }
    if (name.toLowerCase() === OWNER_ID) {
      throw new BulkheadError('usage', `${name} is the name of your own sessions over the API`, {
        fix: 'Choose another name.',
      });
    }
    const programs = this.#ofKind('program');
    if (programs.some((grant) => grant.name === name)) {
      throw new BulkheadError('usage', `there is a token for ${name} already`, {
        fix: `Take it back with \`bulkhead token revoke ${name}\`, or choose another name.`,
      });
    }
    if (programs.length >= MAX_PROGRAMS) {
      throw new BulkheadError('usage', `there are ${MAX_PROGRAMS} programs’ tokens already`, {
        fix: 'See `bulkhead token list`, and take one back with `bulkhead token revoke NAME`.',
      });
    }
  }

  /** In the order of creation. */
  grants(): readonly Grant[] {
    return [...this.#grants.values()];
  }

  /** The owner's access, if there is a token; without its secret. */
  owner(): Proof | undefined {
    return this.#ownerOnDisk();
  }

  /**
   * @param target id of a grant, or name of a program; may repeat for a grant that ended but could
   * not be removed from the store
   * @returns false if there is none
   * @throws BulkheadError `store_failed`: it has ended, but only until this engine stops
   */
  async revoke(target: string): Promise<boolean> {
    const grant = [...this.#grants.values(), ...this.#unwritten.values()].find(
      ({ id, kind, name }) => id === target || (kind === 'program' && name === target),
    );
    if (grant === undefined) return false;
    await this.#end([grant]);
    return true;
  }

  #ofKind(kind: Grant['kind']): readonly Grant[] {
    return [...this.#grants.values()].filter((grant) => grant.kind === kind);
  }

  /** Creates a grant that is not valid yet. */
  #newGrant(kind: Grant['kind'], name: string, lifetime: number | undefined) {
    const secret = newSecret(kind === 'program' ? 'bulkhead_program_' : '');
    const { time } = this.#parts;
    const { clock } = this.#context;
    const created = clock.now();
    const expires = lifetime === undefined ? undefined : created + lifetime;
    const ends = lifetime === undefined ? undefined : time.confirmed() + lifetime;
    const hash = secretHash(secret);
    const grant: Grant = {
      id: this.#context.ids(),
      kind,
      name,
      hash,
      created,
      used: undefined,
      expires,
      ends,
    };
    return { secret, grant };
  }

  #keep(grant: Grant): void {
    this.#parts.database.add(grant);
    this.#grants.set(grant.id, grant);
  }

  /**
   * Less access needs neither audit record nor store: the change takes effect immediately, even if
   * the disk is full.
   *
   * @throws BulkheadError `store_failed`: they have ended, but only until this engine stops
   */
  async #end(grants: readonly Grant[]): Promise<void> {
    for (const grant of grants) {
      this.#grants.delete(grant.id);
      this.#unwritten.set(grant.id, grant);
      this.#tell(grant.id);
    }
    await this.writeEnds();
  }

  /** Removes from the store the grants that ended while it could not be written. */
  async writeEnds(): Promise<void> {
    const ended = [...this.#unwritten.values()];
    if (ended.length === 0) return;
    const ids = ended.map(({ id }) => id);
    try {
      this.#parts.database.remove(ids);
      this.#parts.home?.remove(ids);
    } catch (cause) {
      throw endedOnlyHere(cause);
    }
    for (const id of ids) this.#unwritten.delete(id);
    await this.#note('ACCESS_ENDED', ended);
  }

  /** The grant never becomes valid again, even if the clock goes back. */
  #endLate(grant: Grant): void {
    this.#grants.delete(grant.id);
    // If the disk is full, the row stays; the next start refuses it again.
    this.#end([grant]).catch(() => {});
  }

  async #note(step: 'ACCESS_GIVEN' | 'ACCESS_ENDED', of: readonly Proof[]): Promise<void> {
    const about = { action: '', hash: '', session: '', tool: '' };
    await this.#context.audit.append(
      of.map(({ id, kind, name }) => ({ step, ...about, details: { id, kind, name } })),
    );
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  #noteUse(grant: Grant, now: number): void {
    if (grant.used !== undefined && now - grant.used < USED_MS) return;
    this.#grants.set(grant.id, { ...grant, used: now });
    try {
      this.#parts.database.used(grant.id, now);
    } catch {
      // A full disk must not lock out a valid user.
    }
  }

  #own(token: string): Owner {
    const hash = secretHash(token);
    this.#parts.onSecret(token);
    this.#owner = { id: `owner-${Buffer.from(hash).toString('hex', 0, 8)}`, kind: 'owner', name: '', hash };
    return this.#owner;
  }

  #ownerOrNone(): Owner | undefined {
    if (this.#owner !== undefined) return this.#owner;
    const token = readOwnerToken(this.#parts.tokenPath);
    return token === undefined ? undefined : this.#own(token);
  }

  /** An unusable token file admits no one; a request for the token fails with the reason. */
  #ownerOnDisk(): Owner | undefined {
    try {
      return this.#ownerOrNone();
    } catch {
      return undefined;
    }
  }
}
