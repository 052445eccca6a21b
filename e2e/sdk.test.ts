import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connectEngine, isAlive } from '@bulkhead/client';
import { homeLayout } from '@bulkhead/protocol';
import { type ClientTool, createBulkhead, type SessionEvent } from '@bulkhead/sdk';
import { describe, expect, it } from 'vitest';
import { OFFLINE_TITLES, type Stage } from './support/stage.ts';
import { useSharedStage } from './support/use-stage.ts';
import { sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();
const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));
const ASKED = { name: 'write', args: { path: '.vscode/settings.json', content: '{}' } };

function model(replies: Parameters<Stage['model']>[0]) {
  return stage().model(replies, { models: OFFLINE_TITLES });
}

/** Environment of every engine of a test: no key, no model on this machine. */
function environment(): Record<string, string> {
  const { userHome, layout } = stage();
  const path = process.env['PATH'] ?? '/usr/bin:/bin';
  return { PATH: path, HOME: userHome, BULKHEAD_HOME: layout.root, OLLAMA_HOST: '127.0.0.1:1' };
}

function open(more: Partial<Parameters<typeof createBulkhead>[0]> = {}) {
  return createBulkhead({ home: stage().layout.root, cwd: stage().folder, env: environment(), ...more });
}

async function all(events: AsyncIterable<SessionEvent>): Promise<SessionEvent[]> {
  const seen: SessionEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

/** Runs a program as anybody would. */
function run(file: string, args: readonly string[], cwd: string) {
  const node = ['--experimental-transform-types', '--no-warnings', file, ...args];
  return promisify(execFile)(join(CHECKOUT, 'dist/node'), node, { cwd, env: environment(), timeout: 40_000 });
}

describe('a program with Bulkhead in it', () => {
  it('sends a message, sees all of its run, and has its answer; twice if it looks twice [I4]', async () => {
    await model([{ toolCalls: [{ name: 'ls', args: {} }] }, { text: ['nothing ', 'here'] }]);
    await using bulkhead = await open();
    const session = await bulkhead.createSession();
    const sent = await session.send('what is here?');
    const seen = await all(sent);
    expect(await sent.answer()).toBe('nothing here');
    expect(seen.at(0)?.type).toBe('agent_start');
    expect(seen.at(-1)).toMatchObject({ type: 'settled', outcome: 'completed', rounds: 2 });
    expect(seen.some(({ type }) => type === 'text_delta')).toBe(true);
    const durable = seen.filter(({ ephemeral }) => ephemeral !== true);
    expect((await all(sent)).filter(({ ephemeral }) => ephemeral !== true)).toEqual(durable);
    const events = await all(session.events());
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    const [middle] = durable.slice(3);
    const later = await all(session.events({ after: middle?.seq ?? 0 }));
    expect(later).toEqual(events.filter(({ seq }) => seq > (middle?.seq ?? 0)));
    expect(await bulkhead.sessions()).toMatchObject([{ id: session.id, folder: stage().folder }]);
    const again = await bulkhead.openSession(session.id);
    expect(await all(again.events())).toEqual(events);
    await expect(bulkhead.openSession('01NONE')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('brings tools along: each call is done once, and a failure is reported as an error [I4]', async () => {
    const call = (name: string, args: object) => ({ toolCalls: [{ name: `client_${name}`, args }] });
    const calls = [call('get_weather', { city: 'Oslo' }), call('get_tides', {})];
    await model((request) => {
      const results = sentMessages(request).flatMap((message) => message.results);
      return calls[results.length] ?? { text: `read: ${results.map(({ text }) => text).join(' | ')}` };
    });
    const done: unknown[] = [];
    const tools: readonly ClientTool[] = [
      {
        name: 'get_weather',
        description: 'The weather in a city.',
        inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        run: (args, signal) => {
          done.push([args, signal.aborted]);
          return 'rain';
        },
      },
      {
        name: 'get_tides',
        description: 'The tides.',
        run: () => Promise.reject(new Error('the gauge is broken')),
      },
    ];
    await using bulkhead = await open();
    const session = await bulkhead.createSession();
    const run = await session.send('weather and tides?', { tools, messageId: 'mine' });
    const answer = await run.answer();
    expect(answer).toContain('rain');
    expect(answer).toContain('the gauge is broken');
    const outputs = (await all(run)).filter((event) => event.type === 'tool_output');
    expect(outputs.map(({ isError }) => isError)).toEqual([false, true]);
    // Sent again, also by a program that knows of no call: nothing is done twice.
    await using other = await open();
    const same = await (await other.openSession(session.id)).send('again', { tools, messageId: 'mine' });
    expect(await same.answer()).toBe(answer);
    await (await session.send('weather and tides?', { tools, messageId: 'mine' })).end();
    expect(done).toEqual([[{ city: 'Oslo' }, false]]);
  });

  it('stops a tool that no one waits for any more [I4]', async () => {
    await model([{ toolCalls: [{ name: 'client_get_weather', args: {} }] }, { text: 'done' }]);
    await using bulkhead = await open();
    const session = await bulkhead.createSession();
    const stopped = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const run = await session.send('weather?', {
      tools: [
        {
          name: 'get_weather',
          description: 'The weather.',
          run: async (_args, signal) => {
            signal.addEventListener('abort', () => stopped.resolve(), { once: true });
            begun.resolve();
            await stopped.promise;
            return 'too late';
          },
        },
      ],
    });
    await begun.promise;
    expect(await run.cancel()).toBe(true);
    await stopped.promise;
    expect((await run.end()).outcome).toBe('aborted');
  });

  it('decides what needs approval; says nothing and it is refused [I4] [A6]', async () => {
    await model([{ toolCalls: [ASKED] }, { text: 'refused' }, { toolCalls: [ASKED] }, { text: 'done' }]);
    await using bulkhead = await open();
    const session = await bulkhead.createSession();
    const silent = await session.send('write it');
    expect(await all(silent)).toContainEqual(
      expect.objectContaining({ type: 'approval_decided', decision: 'deny', by: 'nobody' }),
    );
    expect(existsSync(`${stage().folder}/.vscode`)).toBe(false);

    const asked = await session.send('write it', { approve: 'ask' });
    const decisions: boolean[] = [];
    for await (const event of asked) {
      if (event.type !== 'approval_requested') continue;
      decisions.push(await session.decide({ approval: event.approval, hash: 'another action' }, 'once'));
      decisions.push(await session.decide(event, 'once'));
      decisions.push(await session.decide(event, 'deny'));
    }
    // Bound to what was shown, and answered once.
    expect(decisions).toEqual([false, true, false]);
    expect(stage().read('.vscode/settings.json')).toBe('{}');
  });

  it('gets errors it can tell apart, and no answer where there is none [I4]', async () => {
    await model([
      { error: { status: 401 } },
      { text: ['some', 'thing'], stall: { afterChunks: 2 } },
      { toolCalls: [{ name: 'ls', args: {} }] },
      { text: 'half of it' },
    ]);
    await using bulkhead = await open();
    const session = await bulkhead.createSession();
    await expect((await session.send('one')).answer()).rejects.toMatchObject({ code: 'auth' });
    const waiting = await session.send('two');
    await expect(session.send('three', { delivery: 'refuse' })).rejects.toMatchObject({ code: 'busy' });
    // Deltas are sent only once, and may have come while the third was refused.
    for await (const event of waiting) if (event.type === 'turn_start') break;
    expect(await waiting.cancel()).toBe(true);
    await expect(waiting.answer()).rejects.toMatchObject({ code: 'cancelled' });
    expect(await waiting.end()).toMatchObject({ outcome: 'aborted' });
    expect(await session.cancel()).toBe(false);
    const limited = await session.send('four', { maxRounds: 1 });
    await expect(limited.answer()).rejects.toMatchObject({
      code: 'round_limit',
      details: { outcome: 'limit', answer: 'half of it' },
    });
    await expect(bulkhead.createSession({ cwd: 'nowhere' })).rejects.toMatchObject({ code: 'usage' });
    await bulkhead.close();
    await expect(session.send('five')).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('follows a session over a crash of the engine, and misses nothing [I4] [T3]', async () => {
    await model([{ text: ['half ', 'of it'], stall: { afterChunks: 2 } }, { text: 'all of it' }]);
    const states: string[] = [];
    await using bulkhead = await open({ onConnection: (state) => states.push(state) });
    const session = await bulkhead.createSession();
    const sent = await session.send('say it');
    const seen: SessionEvent[] = [];
    let killed = false;
    for await (const event of session.events({ follow: true })) {
      seen.push(event);
      if (event.type === 'text_delta' && !killed) {
        killed = true;
        await stage().killEngine();
      }
      if (event.type === 'idle') break;
    }
    expect(await sent.answer()).toBe('all of it');
    expect(states).toEqual(['lost', 'back']);
    const durable = seen.filter(({ ephemeral }) => ephemeral !== true).map(({ seq }) => seq);
    expect(durable).toEqual(durable.map((_, at) => at + 1));
  });

  it('has a private engine and a home of its own that end with it [I4]', async () => {
    const server = await stage().serve([{ text: 'alone' }], { atEnd: 'repeat-last' });
    const bulkhead = await createBulkhead({ isolated: true, cwd: stage().folder, env: environment() });
    const { home } = bulkhead;
    expect(home).not.toBe(stage().layout.root);
    const session = await bulkhead.createSession();
    const sent = await session.send('hello', {
      model: 'openai-compatible/m',
      baseUrl: `${server.url}/v1`,
    });
    expect(await sent.answer()).toBe('alone');
    using client = await connectEngine(homeLayout(home));
    const { enginePid, supervisorPid } = await client.call('status', {});
    await bulkhead.close();
    expect(existsSync(home)).toBe(false);
    expect([enginePid, supervisorPid].filter(isAlive)).toEqual([]);

    await stage().cli(['start', '--daemon']);
    await expect(open({ isolated: true })).rejects.toMatchObject({ code: 'already_running' });
  });
});

describe('the examples', () => {
  it('run as they are [I4]', async () => {
    await model(({ bodyText }) => {
      if (bodyText.includes('Set the tab width')) {
        return bodyText.includes('"role":"tool"') ? { text: 'it is 2' } : { toolCalls: [ASKED] };
      }
      if (/(first|second) task/.test(bodyText)) {
        const done = bodyText.includes('"role":"tool"');
        return done ? { text: 'finished' } : { toolCalls: [{ name: 'ls', args: {} }] };
      }
      return { text: 'an empty folder' };
    });
    const example = (name: string) => run(join(CHECKOUT, 'packages/sdk/examples', name), [], stage().folder);
    expect(await example('one-shot.ts')).toMatchObject({ stdout: 'an empty folder\n', stderr: '' });
    const { stdout: approvals } = await example('approvals.ts');
    expect(approvals).toMatch(/^yes to write: .+\ncompleted: it is 2\n$/);
    const { stdout: both } = await example('two-sessions.ts');
    for (const name of ['one', 'two']) {
      expect(both).toContain(`${name} calls ls\n`);
      expect(both).toContain(`${name} completed: finished\n`);
    }
  });
});

it('a program outside of the checkout takes the bundle of it [I4]', async () => {
  await model([{ text: 'from outside' }]);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-outside-')));
  try {
    const program = [
      `import { createBulkhead, BulkheadError } from ${JSON.stringify(join(CHECKOUT, 'dist/sdk.js'))};`,
      'const bulkhead = await createBulkhead();',
      'const session = await bulkhead.createSession();',
      "console.log(await (await session.send('hello')).answer());",
      "const missing = await bulkhead.openSession('01NONE').catch((error) => error);",
      'console.log(BulkheadError.is(missing), missing.code);',
      'await bulkhead.close();',
    ];
    writeFileSync(join(folder, 'program.mjs'), program.join('\n'));
    const { stdout } = await run(join(folder, 'program.mjs'), [], folder);
    expect(stdout).toBe('from outside\ntrue not_found\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
