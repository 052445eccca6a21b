import type { Reply } from '@bulkhead/home/testing';
import { expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';

/** A provider that counts nothing, and a tokenizer that finds so many tokens in each character. */
function stage(replies: readonly string[], perCharacter: number) {
  const counted: number[] = [];
  const kept: number[] = [];
  const counter = {
    count: async (texts: readonly string[]) => {
      const counts = texts.map(({ length }) => Math.ceil(length * perCharacter));
      counted.push(counts.reduce((sum, each) => sum + each, 0));
      return counts;
    },
  };
  const test = sessionStage({
    replies: replies.map((text): Reply => ({ text, inputTokens: 0 })),
    compactor: {
      settings: { enabled: true, at: 0.7, keep: 0.3 },
      compact: async (_session, _entries, { counted: known }) => {
        kept.push(known);
        return { summary: 'short', keptFrom: null };
      },
    },
    services: { counter },
  });
  return { ...test, counted, kept };
}

async function say(
  test: ReturnType<typeof stage>,
  session: string,
  ...ids: readonly string[]
): Promise<void> {
  for (const id of ids) {
    test.send(session, id);
    await test.settle();
  }
}

const shortenings = (test: ReturnType<typeof stage>, session: string) =>
  test.events(session).flatMap((event) => (event.type === 'session_before_compact' ? [event.reason] : []));

// By size, 60,000 characters are 17,000 tokens; the mark of a window of 100,000 lies at 67,000.
const long = 'a'.repeat(60_000);

it('a conversation that no provider counted is made shorter when a real tokenizer says that it is long [K6]', async () => {
  const test = stage([long, long, long, 'four'], 0.4);
  const session = test.create();
  await say(test, session, 'one', 'two', 'three', 'four');
  expect(shortenings(test, session)).toEqual(['threshold']);
  expect(test.kept).toEqual([0]);
  expect(test.outcomes(session).at(-1)).toBe('four completed');
});

it('… and is not, however large it seems, when the tokenizer says that it is short [K6]', async () => {
  const test = stage([long, long, long, long, 'five'], 0.05);
  const session = test.create();
  await say(test, session, 'one', 'two', 'three', 'four', 'five');
  expect(shortenings(test, session)).toEqual([]);
  expect(test.counted.length).toBeGreaterThan(0);
  // Not again for each request of the same size.
  expect(test.counted.length).toBeLessThan(6);
  expect(test.outcomes(session).at(-1)).toBe('five completed');
});

it('a tokenizer is never asked where the provider counts [K6]', async () => {
  const test = stage([], 1);
  const session = test.create();
  await say(test, session, 'one', 'two');
  expect(test.counted).toEqual([]);
});
