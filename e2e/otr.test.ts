import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { auditSteps } from './support/audit-steps.ts';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, settledOf } from './support/event-lines.ts';
import { foundIn } from './support/home-bytes.ts';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';
import { offeredTools, sentMessages } from './support/wire-history.ts';

const stage = useStage();

/** Words that were said and seen: none of them may be anywhere. */
const WORDS = {
  prompt: 'my-unspoken-question',
  second: 'a-further-question',
  answer: 'the-hushed-answer',
  content: 'lines-of-the-diary',
  file: 'secret-diary-file.txt',
  written: 'words-never-written',
  command: 'touch-of-a-command',
  thought: 'a-thought-kept-to-itself',
};

describe('a session off the record', () => {
  it('remembers, reads, changes nothing, and leaves no word of it on the disk [S5]', async () => {
    stage().write(WORDS.file, `${WORDS.content}\n`.repeat(40_000));
    stage().write('kept.txt', 'as it was\n');
    const before = readdirSync(stage().folder);
    const server = await stage().model([
      {
        text: WORDS.thought,
        toolCalls: [
          { name: 'write', args: { path: 'kept.txt', content: WORDS.written } },
          { name: 'edit', args: { path: 'kept.txt', old_text: 'as it was', new_text: WORDS.written } },
          bash(`echo ${WORDS.command} > made.txt`),
          { name: 'grep', args: { pattern: WORDS.content } },
          { name: 'read', args: { path: WORDS.file } },
        ],
      },
      { text: WORDS.answer },
      { text: `again ${WORDS.answer}` },
    ]);
    const first = await stage().cli(['run', '--otr', '--json', WORDS.prompt]);
    expect(first.code).toBe(0);
    expect(grammarProblems(first.events)).toEqual([]);
    const { session } = settledOf(first.events);
    const outputs = ofType(first.events, 'tool_output');
    const reads = outputs.filter(({ tool }) => tool === 'read' || tool === 'grep');
    const refused = outputs.filter((output) => !reads.includes(output));
    expect(reads).toHaveLength(2);
    for (const output of reads) {
      expect(output).toMatchObject({ isError: false, text: expect.stringContaining(WORDS.content) });
    }
    expect(refused.map(({ isError, text }) => [isError, text.includes('off the record')])).toEqual([
      ...[1, 2, 3].map(() => [true, true]),
    ]);
    expect(readdirSync(stage().folder)).toEqual(before);
    expect(stage().read('kept.txt')).toBe('as it was\n');
    // It is the engine that refuses, not a list from which a tool is missing.
    expect(offeredTools(server.requests[0] ?? noRequest())).toContain('read');

    expect(await stage().cli(['run', '--otr', '--session', session, WORDS.second])).toMatchObject({
      code: 0,
    });
    expect(sentMessages(server.requests.at(-1) ?? noRequest()).map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'tool', 'tool', 'tool', 'tool', 'assistant', 'user'],
    ]);
    const listed: unknown = JSON.parse((await stage().cli(['sessions', 'list', '--json'])).stdout);
    expect(listed).toMatchObject([{ session, offTheRecord: true, messages: 5 }]);
    expect((await stage().cli(['sessions', 'list'])).stdout).toContain('off the record');
    expect((await stage().cli(['sessions', 'show', session])).stdout).toContain(WORDS.answer);

    const words = Object.values(WORDS);
    expect(foundIn(stage().layout.root, words)).toEqual([]);
    expect((await stage().cli(['stop'])).code).toBe(0);
    expect(foundIn(stage().layout.root, words)).toEqual([]);
    // That something was done is audited; what, is not.
    const steps = auditSteps(stage(), session);
    expect(steps.filter((step) => step === 'EXECUTED')).toHaveLength(2);
    expect(steps.filter((step) => step === 'REFUSED')).toHaveLength(3);
  });

  it('is gone with its engine, after kill -9 too, and is not taken up again [S5]', async () => {
    const server = await stage().model([{ text: WORDS.answer }, { stall: 'before-first-byte' }]);
    const { events } = await stage().cli(['run', '--otr', '--json', WORDS.prompt]);
    const { session } = settledOf(events);
    const cut = stage().start(['run', '--otr', '--session', session, WORDS.second]);
    await until('the request', () => server.requests.length === 2);
    await stage().killEngine();
    cut.signal('SIGKILL');
    expect((await stage().cli(['sessions', 'list', '--json'])).stdout.trim()).toBe('[]');
    const gone = await stage().cli(['run', '--otr', '--session', session, 'hello?']);
    expect(gone).toMatchObject({
      code: 1,
      errors: expect.arrayContaining([expect.stringContaining('no session')]),
    });
    expect(server.requests).toHaveLength(2);
    expect(foundIn(stage().layout.root, Object.values(WORDS))).toEqual([]);
    const outputs = `${stage().layout.outputs}/${session}`;
    expect(existsSync(outputs) ? readdirSync(outputs) : []).toEqual([]);
  });

  it('leaves no word of an answer that failed, was retried or was cancelled [S5]', async () => {
    const failure = { error: { status: 529, message: `${WORDS.thought} is too much` } };
    await stage().model([failure, { text: [WORDS.answer, 'x', 'y'], stall: { afterChunks: 3 } }]);
    const run = stage().start(['run', '--otr', '--json', WORDS.prompt]);
    await run.event('text_delta');
    run.signal('SIGINT');
    expect((await run.done()).code).toBe(130);
    expect((await stage().cli(['stop'])).code).toBe(0);
    expect(foundIn(stage().layout.root, Object.values(WORDS))).toEqual([]);
  });

  it('is distinct from one on the record: neither is entered as the other [S5]', async () => {
    await stage().model(() => ({ text: 'yes' }));
    const open = settledOf((await stage().cli(['run', '--json', 'on the record'])).events).session;
    const closed = settledOf((await stage().cli(['run', '--otr', '--json', 'off it'])).events).session;
    expect(await stage().cli(['run', '--session', closed, 'hello'])).toMatchObject({ code: 2 });
    expect(await stage().cli(['run', '--otr', '--session', open, 'hello'])).toMatchObject({ code: 2 });
  });
});

describe('the search for what must not be there', () => {
  it('finds a word that exists in text, database and names', async () => {
    stage().write(WORDS.file, 'x');
    await stage().model([{ text: WORDS.answer }]);
    await stage().cli(['run', WORDS.prompt]);
    const found = foundIn(stage().layout.root, [WORDS.prompt, WORDS.answer]).join('\n');
    for (const word of [WORDS.prompt, WORDS.answer])
      expect(found).toMatch(new RegExp(`${word} in state/bulkhead`));
    expect(foundIn(stage().folder, [WORDS.file])).toHaveLength(1);
  });
});

function noRequest(): never {
  throw new Error('there was no such request');
}
