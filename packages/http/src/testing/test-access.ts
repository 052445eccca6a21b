import type { Access, Login, Proof } from '../checks/proof.ts';

/** An access store in memory, with secrets and login codes from the test. */
export class TestAccess implements Access {
  readonly proofs = new Map<string, Proof & { readonly way: 'bearer' | 'cookie' }>([
    ['owner-secret', { id: 'o', kind: 'owner', name: '', way: 'bearer' }],
    ['cookie-secret', { id: 'l', kind: 'login', name: '', way: 'cookie' }],
    ['program-secret', { id: 'p', kind: 'program', name: 'x', way: 'bearer' }],
  ]);
  readonly codes = new Set<string>();
  /** Secrets that were checked. */
  looks = 0;
  readonly #listeners = new Set<(id: string) => void>();

  prove(secret: string, way: 'bearer' | 'cookie'): Proof | undefined {
    this.looks += 1;
    const found = this.proofs.get(secret);
    return found?.way === way ? found : undefined;
  }

  async logIn(code: string): Promise<Login | undefined> {
    this.looks += 1;
    if (!this.codes.delete(code)) return undefined;
    return { secret: 'cookie-secret', maxAgeSeconds: 60 };
  }

  async logOut({ id }: Proof): Promise<void> {
    this.end(id);
  }

  onEnd(listener: (id: string) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  end(id: string): void {
    for (const [secret, proof] of this.proofs) if (proof.id === id) this.proofs.delete(secret);
    for (const listener of this.#listeners) listener(id);
  }
}
