import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Script } from '@bulkhead/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MediatedPlaces, mediation } from './mediation/mediation.ts';
import { tracedActions } from './mediation/traced-actions.ts';
import { type TracedCall, tracedCalls, tracerOf } from './mediation/traced-calls.ts';
import { useStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useStage();

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const canTrace = spawnSync('strace', ['-f', '--decode-pids=pidns', '-e', 'trace=none', 'true']).status === 0;

let page: Server;
let port: number;
beforeEach(async (context) => {
  if (!canTrace) context.skip('strace is not here to see the system calls');
  page = createServer((_request, response) => response.end('{"a":1}'));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const address = page.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterEach(() => page?.close());

/** Reads, searches, writes, edits, runs commands and asks a server. */
function everyKind(): Script {
  stage().write('a.txt', 'alpha\n');
  const edit = { path: 'a.txt', old_text: 'alpha', new_text: 'beta' };
  return [
    { toolCalls: [{ name: 'load_tools', args: { groups: ['web'] } }] },
    {
      toolCalls: [
        { name: 'read', args: { path: 'a.txt' } },
        { name: 'grep', args: { pattern: 'alpha' } },
      ],
    },
    { toolCalls: [{ name: 'write', args: { path: 'sub/b.txt', content: 'b' } }] },
    {
      toolCalls: [
        { name: 'edit', args: edit },
        { name: 'find', args: { pattern: '*.txt' } },
      ],
    },
    {
      toolCalls: [bash('echo c > c.txt; mkdir made; mv c.txt made/d.txt; rm sub/b.txt; ln -s d.txt made/l')],
    },
    { toolCalls: [bash('sed -i s/beta/gamma/ a.txt; chmod 700 a.txt; cat a.txt')] },
    {
      toolCalls: [
        { name: 'http_request', args: { url: `http://127.0.0.1:${port}/`, method: 'POST', body: '{}' } },
      ],
    },
    { text: 'done' },
  ];
}

/** A session with every system call of it written down. */
async function traced(script: Script, build = CHECKOUT) {
  const model = await stage().model(script, {
    config: `tools: { web: { allowPrivate: ['127.0.0.1:${port}', '127.0.0.1:80'] } }`,
  });
  const log = join(stage().userHome, 'trace');
  const { code, stderr, stdout } = await stage().cli(['run', '--isolated', '--approve', 'allow', 'go'], {
    under: tracerOf(log),
    command: join(build, 'bulkhead'),
    timeoutMs: 90_000,
  });
  expect(code, `${stdout} ${stderr}`).toBe(0);
  const node = realpathSync(join(build, 'dist/node'));
  const modules = realpathSync(join(CHECKOUT, 'node_modules'));
  const places: MediatedPlaces = {
    folder: stage().folder,
    own: [stage().layout.root, join(build, 'dist/.compile-cache')],
    programs: [
      node,
      join(build, 'dist/node'),
      join(build, 'bulkhead'),
      ...['x64', 'arm64'].flatMap((kind) => [
        join(build, `dist/prebuilt/linux-${kind}/bulkhead-launcher`),
        join(modules, `@vscode/ripgrep-linux-${kind}/bin/rg`),
      ]),
      // Lists the libraries that Node needs in its box.
      '/lib64/ld-linux-x86-64.so.2',
      '/lib/ld-linux-aarch64.so.1',
    ],
    models: [new URL(model.url).host],
  };
  const calls = tracedCalls(readFileSync(log, 'utf8'));
  return { calls, actions: tracedActions(calls), places };
}

/** A copy of what is built whose worker, whenever it gives a file its name, makes another one beside it. */
function plantedBuild(): string {
  const target = join(stage().userHome, 'build');
  mkdirSync(join(target, 'dist'), { recursive: true });
  cpSync(join(CHECKOUT, 'bulkhead'), join(target, 'bulkhead'));
  cpSync(join(CHECKOUT, 'dist'), join(target, 'dist'), {
    recursive: true,
    filter: (source) => !basename(source).startsWith('.') && basename(source) !== 'node',
  });
  symlinkSync(realpathSync(join(CHECKOUT, 'dist/node')), join(target, 'dist/node'));
  symlinkSync(join(CHECKOUT, 'node_modules'), join(target, 'node_modules'));
  const worker = join(target, 'dist/worker.mjs');
  const plant = [
    "import plantedFs from 'node:fs';",
    "import { syncBuiltinESMExports as plantedSync } from 'node:module';",
    'const plantedLink = plantedFs.linkSync;',
    "plantedFs.linkSync = (from, to) => { plantedLink(from, to); plantedFs.writeFileSync(to + '-planted', ''); };",
    'plantedSync();',
  ];
  writeFileSync(worker, `${plant.join('\n')}\n${readFileSync(worker, 'utf8')}`);
  return target;
}

/** Line on which the disk had an action's snapshot under its name; infinite if it never did. */
function durableSnapshot(calls: readonly TracedCall[], id: string): number {
  const never = Number.POSITIVE_INFINITY;
  const done = calls.filter(({ result }) => result === '0');
  const named = done.find(
    ({ name, args }) => name.startsWith('rename') && args.includes(`/snapshots/${id}.jsonl"`),
  );
  const flushed = done.find(
    ({ name, args, begun }) =>
      name === 'fsync' && args.endsWith('/snapshots>') && begun > (named?.ended ?? never),
  );
  return flushed?.ended ?? never;
}

describe('every file, program and connection of a session’s executors', () => {
  it('is of exactly one action whose start and snapshot were on the disk before, and whose end came after [FG2] [FR7]', async () => {
    const { calls, actions, places } = await traced(everyKind());
    const { problems, effects } = mediation(calls, actions, places);
    expect(problems).toEqual([]);
    const acting = [...actions.values()].filter(({ id }) => effects.has(id));
    expect(acting.map(({ tool }) => tool)).toEqual([
      'grep',
      'write',
      'edit',
      'find',
      'bash',
      'bash',
      'http_request',
    ]);
    const nonces = acting.map(({ nonce }) => nonce);
    expect(new Set(nonces).size).toBe(nonces.length);
    for (const nonce of nonces) expect(nonce).toMatch(/^[\da-f-]{36}$/);
    const changed = (tool: string) =>
      [...actions.values()]
        .filter((action) => action.tool === tool)
        .flatMap(({ id }) => effects.get(id) ?? [])
        .map(({ target }) => target);
    expect(changed('write')).toContain(join(places.folder, 'sub/b.txt'));
    expect(changed('bash')).toContain(join(places.folder, 'made'));
    expect(changed('http_request')).toEqual([`127.0.0.1:${port}`]);

    // The earlier content is kept, and on the disk, before anything is changed.
    for (const { id, tool } of acting.filter(({ tool }) => tool === 'write' || tool === 'edit')) {
      const kept = durableSnapshot(calls, id);
      expect(kept, tool).toBeLessThan(Math.min(...(effects.get(id) ?? []).map(({ call }) => call.begun)));
    }

    // The controls: announcements that are missing, late, or of actions already over are noticed for each of them.
    const firstOf = (id: string) => effects.get(id)?.[0]?.call;
    const controls: readonly ((id: string) => { readonly started?: number; readonly ended?: number })[] = [
      () => ({ started: Number.POSITIVE_INFINITY }),
      (id) => ({ started: firstOf(id)?.begun ?? 0 }),
      (id) => ({ ended: firstOf(id)?.begun ?? 0 }),
    ];
    for (const change of controls) {
      const changedActions = new Map([...actions].map(([id, action]) => [id, { ...action, ...change(id) }]));
      const found = mediation(calls, changedActions, places).problems;
      for (const id of effects.keys())
        expect(found).toContainEqual(
          expect.stringContaining(`on line ${(firstOf(id)?.ended ?? 0) + 1}: of no action`),
        );
    }
  });

  it('the control: one file more than was announced is named [FG2]', async () => {
    const { calls, actions, places } = await traced(
      [{ toolCalls: [{ name: 'write', args: { path: 'sub/b.txt', content: 'b' } }] }, { text: 'done' }],
      plantedBuild(),
    );
    const { problems } = mediation(calls, actions, places);
    expect(new Set(problems.map((problem) => /file (\S+) by/.exec(problem)?.[1]))).toEqual(
      new Set([join(places.folder, 'sub/b.txt-planted')]),
    );
    expect(problems.every((problem) => problem.endsWith('of no action'))).toBe(true);
  });

  it('also of a command that goes on in the background after its action has ended [FG2] [B2]', async () => {
    const command =
      'echo a > first.txt; until [ -e /tmp/go ]; do sleep 0.2; done; mkdir "$PWD/late"; echo b > late/last.txt';
    const { calls, actions, places } = await traced([
      { toolCalls: [{ name: 'bash', args: { command, background: true } }] },
      { toolCalls: [bash('> /tmp/go')] },
      // Its own overlay shows a name as it was first looked up: each look is a command of its own.
      ...Array.from({ length: 3 }, (_, at) => ({ toolCalls: [bash(`ls late; sleep 1 # ${at}`)] })),
      { text: 'done' },
    ]);
    const { problems, effects } = mediation(calls, actions, places);
    expect(problems).toEqual([]);
    const [first] = [...actions.values()];
    const done = effects.get(first?.id ?? '') ?? [];
    const changed = done.map(({ target }) => target);
    for (const name of ['first.txt', 'late', 'late/last.txt'])
      expect(changed).toContain(join(places.folder, name));
    const late = done.filter(({ call }) => call.begun > (first?.ended ?? 0)).map(({ target }) => target);
    expect(late).toContain(join(places.folder, 'late'));

    // Its changes are put in place by an action of their own, with a snapshot.
    const [kept] = [...actions.values()].filter(({ continues }) => continues === first?.id);
    const placed = effects.get(kept?.id ?? '') ?? [];
    expect(placed.map(({ target }) => target)).toEqual(
      expect.arrayContaining(['first.txt', 'late'].map((name) => join(places.folder, name))),
    );
    expect(durableSnapshot(calls, kept?.id ?? '')).toBeLessThan(
      Math.min(...placed.map(({ call }) => call.begun)),
    );
    const unkept = new Map([...actions].filter(([id]) => id !== kept?.id));
    const unannouncedEnd = mediation(calls, unkept, places).problems;
    for (const { call } of placed)
      expect(unannouncedEnd).toContainEqual(
        expect.stringContaining(`on line ${call.ended + 1}: of no action`),
      );

    // The control: a start that was never announced is noticed for each thing that the command did.
    const unannounced = new Map([...actions].filter(([id]) => id !== first?.id));
    const found = mediation(calls, unannounced, places).problems;
    for (const { call } of done.filter(
      ({ call }) => !/^(mk|rm)dir$/.test(call.name) || call.args.includes('late'),
    ))
      expect(found).toContainEqual(expect.stringContaining(`on line ${call.ended + 1}: of no action`));
  });

  it('also of a command that reaches a host, whose connection the engine makes for it [FG2]', async (context) => {
    const web = createServer((_request, response) => response.end('from outside'));
    const listening = await new Promise<boolean>((resolve) => {
      web.once('error', () => resolve(false)).listen(80, '127.0.0.1', () => resolve(true));
    });
    try {
      if (!listening) context.skip('only the web’s own ports are open to commands, and 80 can’t be had here');
      const command = 'curl -sS --noproxy "" -o page.txt http://127.0.0.1/';
      const { calls, actions, places } = await traced([
        { toolCalls: [{ name: 'bash', args: { command, hosts: ['127.0.0.1'] } }] },
        { text: 'done' },
      ]);
      const { problems, effects } = mediation(calls, actions, places);
      expect(problems).toEqual([]);
      const [only] = [...actions.values()];
      const done = effects.get(only?.id ?? '') ?? [];
      expect(done.filter(({ kind }) => kind === 'connect').map(({ target }) => target)).toContain(
        '127.0.0.1:80',
      );
      expect(done.map(({ target }) => target)).toContain(join(places.folder, 'page.txt'));
      const found = mediation(calls, new Map(), places).problems;
      expect(found).toContainEqual(
        expect.stringMatching(/^own outside \d+: connect 127\.0\.0\.1:80 .* of no action$/u),
      );
    } finally {
      web.close();
    }
  });
});
