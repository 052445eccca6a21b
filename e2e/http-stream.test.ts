import type { SessionEvent } from '@bulkhead/protocol';
import type { Script } from '@bulkhead/testkit';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, parseEventLine } from './support/event-lines.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';
import { framesOf, openOf, serveWeb } from './support/web-client.ts';

const stage = useSharedStage();
const served = (script: Script) => serveWeb(stage(), script);

const ROUNDS = sweepOf(8, 20);
const CUTS = 5 * ROUNDS;

const ls = { name: 'ls', args: {} };

describe('the event stream', () => {
  it('cut again and again within one answer, ends with every durable event, once and in order [T3]', async () => {
    const step = { text: ['step ', 'by ', 'step'], toolCalls: [ls], chunkDelayMs: 20 };
    const web = await served([...Array.from({ length: ROUNDS }, () => step), { text: 'there' }]);
    const session = await web.session();
    await web.send(session, 'm', 'go');
    const seen: SessionEvent[] = [];
    let cuts = 0;
    while (seen.at(-1)?.type !== 'idle') {
      const after = seen.at(-1)?.seq ?? 0;
      const most = cuts < CUTS ? 1 + (cuts % 3) : Number.POSITIVE_INFINITY;
      const frames = await someFrames(web.socket(`?session=${session}&after=${after}`), most);
      seen.push(...frames.filter(({ ephemeral }) => ephemeral !== true));
      cuts += 1;
    }
    expect(cuts).toBeGreaterThan(CUTS);
    const { text } = await web.raw(`/api/v1/sessions/${session}/events`, { headers: web.bearer });
    expect(seen).toEqual(text.trimEnd().split('\n').map(parseEventLine).slice(0, seen.length));
    expect(grammarProblems(seen, { replayed: true })).toEqual([]);
    expect(ofType(seen, 'tool_output')).toHaveLength(ROUNDS);
  });

  it('gives a hundred clients the same events, and those of all sessions to who asks [T3]', async () => {
    const web = await served(() => ({ text: Array.from({ length: 200 }, () => 'word '), chunkDelayMs: 5 }));
    const session = await web.session();
    const sockets = Array.from({ length: 100 }, () => web.socket(`?session=${session}`));
    const frames = sockets.map(framesOf);
    const all = web.socket();
    const ofAll = framesOf(all);
    await Promise.all([...sockets, all].map(openOf));
    all.send('{"watch":"*"}');
    await until('all are watched', () => ofAll.length === 1);
    const at = performance.now();
    await web.send(session, 'm', 'go');
    const isOver = (seen: readonly string[]) => seen.some((frame) => frame.includes('"type":"idle"'));
    await until('idle everywhere', () => frames.every(isOver) && isOver(ofAll));
    const seconds = (performance.now() - at) / 1_000;
    const count = frames.reduce((sum, { length }) => sum + length, 0);
    process.stdout.write(`100 clients: ${count} frames in ${seconds.toFixed(2)} s\n`);
    const durable = (seen: readonly string[]) => seen.filter((frame) => !frame.includes('"ephemeral":true'));
    const expected = durable(frames[0] ?? []);
    expect(expected.length).toBeGreaterThan(10);
    for (const seen of frames) expect(durable(seen)).toEqual(expected);
    // Each says of which watch it is.
    expect(durable(ofAll)).toEqual(expected.map((frame) => `${frame.slice(0, -1)},"watch":"*"}`));
    expect(JSON.parse(ofAll[0] ?? '')).toMatchObject({ session: '*', type: 'gap' });
    for (const socket of [...sockets, all]) socket.close();
  });
});

/** Reads so many frames, or up to `idle`, and leaves. */
async function someFrames(socket: WebSocket, most: number): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  await new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      if (events.length < most) events.push(parseEventLine(String(data)));
      if (events.length === most || events.at(-1)?.type === 'idle') resolve();
    });
  });
  socket.close();
  return events;
}
