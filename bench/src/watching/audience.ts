/**
 * Watches turns, as the clients do that show them to people: in its own process, so that reading
 * many streams doesn't slow down the one that measures. It receives the turns to watch, and reports
 * when all of them stream and when all have ended.
 */
import { connectEngine, type EngineClient } from '@bulkhead/client';
import { homeLayout } from '@bulkhead/protocol';
import { monotonicMs } from '../monotonic-ms.ts';
import type { AudienceReport, Turn } from './audience-process.ts';

const [home = ''] = process.argv.slice(2);
const client = await connectEngine(homeLayout(home));

process.on('disconnect', () => process.exit());
process.on('message', (turns: readonly Turn[]) => {
  watchAll(turns).catch((error: unknown) => say({ type: 'failed', reason: String(error) }));
});
say({ type: 'ready' });

async function watchAll(turns: readonly Turn[]): Promise<void> {
  const all = turns.map((turn) => new WatchedTurn(client, turn));
  say({ type: 'watching' });
  await Promise.all(all.map(({ speaks }) => speaks));
  say({ type: 'speaking', at: monotonicMs() });
  const outcomes = await Promise.all(all.map(({ ends }) => ends));
  const deltas = all.reduce((sum, turn) => sum + turn.deltas, 0);
  say({ type: 'settled', at: monotonicMs(), deltas, outcomes });
}

class WatchedTurn {
  readonly #speaking = Promise.withResolvers<void>();
  /** Resolves with the outcome. */
  readonly ends: Promise<string>;
  /** Events with text; what waits for one another comes as one. */
  deltas = 0;

  constructor(client: EngineClient, turn: Turn) {
    this.ends = this.#watch(client, turn);
    // An answer that was over before it was watched has spoken too.
    this.ends.then(() => this.#speaking.resolve(), this.#speaking.reject);
  }

  /** Resolves with the first text. */
  get speaks(): Promise<void> {
    return this.#speaking.promise;
  }

  async #watch(client: EngineClient, { sessionId, messageId }: Turn): Promise<string> {
    for await (const { type, json } of client.stream('watch', { sessionId, follow: true })) {
      if (type === 'text_delta') {
        this.deltas += 1;
        this.#speaking.resolve();
      }
      if (type !== 'settled') continue;
      const end: { readonly message?: string; readonly outcome?: string } = JSON.parse(json);
      if (end.message === messageId) return end.outcome ?? '';
    }
    throw new Error(`the events of ${sessionId} ended before ${messageId} was settled`);
  }
}

function say(report: AudienceReport): void {
  process.send?.(report);
}
