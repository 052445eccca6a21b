import { shareOf, sweepOf } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { largeAnswer, largeResult, messages } from './load/scenarios.ts';

const LIMIT_MS = 360_000;
/** Size of a tool's output: far more than a model receives, and than is kept. */
const PUT_OUT_BYTES = sweepOf(12_000_000, 50_000_000);

/** Processes that end while others take their places, when the engine's are counted from outside. */
const ENDING = 2;

/** Figures are for people: no assertion rests on how fast this machine is today. */
function print(...words: readonly string[]): void {
  process.stderr.write(`${words.join(' ')}\n`);
}

describe('the engine under load', () => {
  it('serves 30 messages at once with few processes, and loses none [FG10]', {
    timeout: LIMIT_MS,
  }, async () => {
    const { acknowledged, status, memory, outcomes, wallMs } = await messages(30);
    print('30 at once, ms and MB:', JSON.stringify({ acknowledged, status, memory, wallMs }));
    expect(outcomes).toEqual({ completed: 30 });
    // The pools hold 8 and 16. A process that must end is counted until the system has removed it.
    expect(memory.workers).toBeLessThanOrEqual(8 + ENDING);
    expect(memory.agents).toBeLessThanOrEqual(16 + ENDING);
    expect(memory.megabytes).toBeLessThan(1_000);
    // All are answered before the runs, of which most still wait for an agent by then.
    expect(acknowledged.max).toBeLessThan(wallMs / 3);
  });

  it.each([
    ...shareOf([64_000, 200_000, 500_000], 0).map((bytes) => ['text', bytes] as const),
    ['text', 1_000_000],
    ['line', 1_000_000],
    ['thinking', 1_000_000],
  ] as const)(
    'settles an answer without replacing its agent: %s, %i bytes [FG10]',
    { timeout: LIMIT_MS },
    async (kind, bytes) => {
      const { outcomes, answer, agents, wallMs, memory, status } = await largeAnswer(kind, bytes);
      print(`${bytes} bytes of ${kind}, ms and MB:`, JSON.stringify({ wallMs, status, memory }));
      expect(outcomes).toEqual({ completed: 1 });
      // Text comes in pieces of 4 kB, the last one whole.
      const said = { text: Math.ceil(bytes / 4_096) * 4_096, line: bytes };
      if (kind === 'text' || kind === 'line') expect(answer).toBe(said[kind]);
      expect(agents[0]).not.toBe(0);
      expect(agents[1]).toBe(agents[0]);
    },
  );

  it.each(['text', 'line', 'thinking', 'arguments'])(
    'ends an answer of 8 MB with its true reason, and keeps none of it: %s [FT68] [FG10]',
    { timeout: LIMIT_MS },
    async (kind) => {
      const { outcomes, error, storedBytes, memory, status } = await largeAnswer(kind, 8_000_000);
      print(`8 MB of ${kind}, ms and MB:`, JSON.stringify({ status, memory }));
      expect(outcomes).toEqual({ limit: 1 });
      expect(JSON.parse(error)).toMatchObject({
        code: 'answer_limit',
        message: expect.stringMatching(/was larger than \d MiB: reading stopped/),
      });
      expect(storedBytes).toBeLessThan(100_000);
    },
  );

  it.each([
    ['bash', /\n\[\d+ bytes are left out here; result_open with id \S+ shows all of the output\]\n/],
    ['line', /\n\[\d+ bytes are left out here; result_open with id \S+ shows all of the output\]\n/],
    ['read', /\n\[lines 1-\d+ of \d+; continue with offset=\d+\]$/],
    ['grep', /\n\[the first \d+ matches; narrow the pattern, the path or the glob\]$/],
  ])(
    'tells the model so much of a large output that it can use it, says that it was cut, and keeps no more: %s [FG10]',
    { timeout: LIMIT_MS },
    async (tool, note) => {
      const { outcome, result, storedBytes, memory, status } = await largeResult(tool, PUT_OUT_BYTES);
      print(`${PUT_OUT_BYTES} bytes by ${tool}, ms and MB:`, JSON.stringify({ status, memory, storedBytes }));
      expect(outcome).toBe('completed');
      expect(result).toMatch(note);
      expect(result.length).toBeLessThan(200_000);
      expect(storedBytes).toBeLessThan(1_000_000);
      expect(memory.engineMegabytes).toBeLessThan(400);
    },
  );
});
