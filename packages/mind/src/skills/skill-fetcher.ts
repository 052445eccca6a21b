import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { type FetchedSkill, fetchSkill } from './git/fetch-skill.ts';
import { parseGitAddress } from './git/git-address.ts';

interface SkillFetcherParts {
  /** Where it is fetched to. */
  readonly layout: HomeLayout;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Fetches skills for clients that can't, as a browser: as the CLI does it, with the environment that the engine was started with. One at
 * a time: each may take much room on the disk.
 */
export class SkillFetcher {
  readonly #parts: SkillFetcherParts;
  #isBusy = false;

  constructor(parts: SkillFetcherParts) {
    this.#parts = parts;
  }

  /**
   * @param address `URL#REF:FOLDER`
   * @param signal of the call: it ends the fetch
   * @throws BulkheadError `busy`, `cancelled`, and those of `fetchSkill`; then nothing is left on the disk
   */
  async fetch(address: string, signal: AbortSignal): Promise<FetchedSkill> {
    const parsed = parseGitAddress(address);
    if (this.#isBusy) throw new BulkheadError('busy', 'another skill is being fetched', { retryable: true });
    this.#isBusy = true;
    const left = new AbortController();
    const leave = () => left.abort(new BulkheadError('cancelled', 'cancelled: nothing was done'));
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    try {
      const { layout, environment: env } = this.#parts;
      return await fetchSkill(parsed, { layout, env, signal: left.signal, tell: () => {} });
    } finally {
      signal.removeEventListener('abort', leave);
      this.#isBusy = false;
    }
  }
}
