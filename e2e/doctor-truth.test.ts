import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { HomeLayout } from '@bulkhead/protocol';
import { shareOf, sweepOf, sweepsAreWhole } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Stage } from './support/stage.ts';

const HARMS = ['empty', 'cut', 'flipped'] as const;
const TIMEOUT_MS = 600_000;

let stage: Stage;
let pristine: string;

beforeAll(async () => {
  stage = new Stage();
  await stage.model(({ bodyText }) => {
    if (!bodyText.includes('write it') || bodyText.includes('"role":"tool"')) return { text: 'hello' };
    return { toolCalls: [{ name: 'write', args: { path: 'kept.txt', content: 'new' } }] };
  });
  stage.write('kept.txt', 'old');
  await stage.cli(['run', 'hello'], { timeoutMs: 60_000 });
  await stage.cli(['stop'], { timeoutMs: 60_000 });
  pristine = `${stage.layout.root}-pristine`;
  cpSync(stage.layout.root, pristine, { recursive: true });
}, TIMEOUT_MS);

afterAll(async () => {
  rmSync(pristine, { recursive: true, force: true });
  await stage[Symbol.asyncDispose]();
}, TIMEOUT_MS);

function restore(): void {
  rmSync(stage.layout.root, { recursive: true, force: true });
  cpSync(pristine, stage.layout.root, { recursive: true });
}

async function doctor(home = stage.layout.root) {
  const env = { BULKHEAD_HOME: home };
  const { stdout, code } = await stage.cli(['doctor', '--json'], { env, timeoutMs: 120_000 });
  const { ok } = JSON.parse(stdout);
  expect(code).toBe(ok ? 0 : 1);
  return { ok, text: stdout };
}

/** Every file below a folder, with its bytes: what must be the same before and after. */
function bytesBelow(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => lstatSync(join(folder, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(folder, path)).toString('base64')]));
}

/** Of one file in a list: `npm test` tries one harm of each, another kind each time. */
function harmsOf(file: string, at: number): readonly ((typeof HARMS)[number] | 'removed')[] {
  const all = file.endsWith('.pem') ? (['removed', 'flipped'] as const) : HARMS;
  return sweepsAreWhole ? all : all.filter((_, place) => place === at % all.length);
}

it(
  'says before there is a home what is ready and how to make one, and makes none [D4]',
  async () => {
    const home = `${stage.layout.root}-none`;
    const { ok, text } = await doctor(home);
    expect(ok).toBe(true);
    expect(text).toContain('no home yet');
    expect(text).toContain('`bulkhead init` makes one');
    const { checks }: { checks: { name: string; state: string }[] } = JSON.parse(text);
    expect(checks.map(({ name }) => name)).toEqual(['node', 'home', 'model', 'search', 'sandbox']);
    expect(existsSync(home)).toBe(false);
  },
  TIMEOUT_MS,
);

it(
  'changes no byte of a home',
  async () => {
    restore();
    const before = bytesBelow(stage.layout.root);
    expect((await doctor()).ok).toBe(true);
    expect([...bytesBelow(stage.layout.root).keys()]).toEqual([...before.keys()]);
    expect(bytesBelow(stage.layout.root)).toEqual(before);
  },
  TIMEOUT_MS,
);

it(
  'never says that all is well where the engine does not start, and names the file [D4]',
  async () => {
    const { layout } = stage;
    const files = [
      'config.yaml',
      'policies/default.yaml',
      'policies/ifc.yaml',
      'state/bulkhead.db',
      'state/access.db',
      'state/audit/audit-000001.jsonl',
      'state/audit/audit-000001.checkpoints',
      'state/audit/checkpoint-key.pem',
    ];
    const refused: string[] = [];
    for (const [at, file] of shareOf([...files.entries()], 5)) {
      for (const harm of harmsOf(file, at)) {
        restore();
        const path = join(layout.root, file);
        if (!existsSync(path)) continue;
        if (harm === 'removed') rmSync(path);
        else writeFileSync(path, harmed(readFileSync(path), harm));
        const said = await doctor();
        const { code } = await stage.cli(['start', '--daemon'], { timeoutMs: 120_000 });
        if (code === 0) {
          await stage.cli(['stop'], { timeoutMs: 60_000 });
          continue;
        }
        refused.push(`${file} ${harm}`);
        expect({ file, harm, ok: said.ok }).toEqual({ file, harm, ok: false });
        expect(said.text).toContain(
          file
            .slice(file.lastIndexOf('/') + 1)
            .replace('ifc.yaml', 'ifc')
            .replace(/^(audit-\d+).*/, '$1'),
        );
      }
    }
    // Where every harm is survived nothing was compared.
    expect(refused.length).toBeGreaterThan(sweepOf(2, 8));
  },
  TIMEOUT_MS,
);

it(
  'gives a way out of a database without content that works as it is written [D4]',
  async () => {
    restore();
    writeFileSync(stage.layout.database, '');
    writeFileSync(`${stage.layout.database}-wal`, 'left over');
    const { text } = await doctor();
    const { checks }: { checks: Row[] } = JSON.parse(text);
    const { fix = '' } = checks.find(({ name }) => name === 'sessions') ?? {};
    const started = await stage.cli(['start', '--daemon'], { timeoutMs: 120_000 });
    expect(started.code).not.toBe(0);
    expect(started.stderr).toContain(fix);
    const [, command = ''] = /`(mkdir [^`]+)`/.exec(fix) ?? [];
    execFileSync('/bin/sh', ['-c', command]);
    expect((await stage.cli(['start', '--daemon'], { timeoutMs: 120_000 })).code).toBe(0);
    await stage.cli(['stop'], { timeoutMs: 60_000 });
  },
  TIMEOUT_MS,
);

it(
  'says that a home is a file, and names a broken config.yaml once [D4]',
  async () => {
    const file = `${stage.layout.root}-file`;
    writeFileSync(file, '');
    const found = await doctor(file);
    rmSync(file);
    expect(found.text).toContain('is a file, not a folder');
    restore();
    writeFileSync(stage.layout.config, 'models: [');
    const { text } = await doctor();
    const { checks }: { checks: Row[] } = JSON.parse(text);
    const bad = checks.filter(({ state }) => state === 'bad');
    expect(bad.filter(({ detail }) => detail.includes('config.yaml'))).toHaveLength(1);
    expect(bad.map(({ detail }) => detail)).toContain('not looked at: see config');
  },
  TIMEOUT_MS,
);

it(
  'names each damaged file that the engine opens, with a command that exists [D4]',
  async () => {
    restore();
    const { layout } = stage;
    const trusted = join(stage.folder, 'trusted');
    mkdirSync(trusted, { recursive: true });
    writeFileSync(join(trusted, 'AGENTS.md'), 'be brief');
    const skill = join(stage.folder, 'mine');
    mkdirSync(skill, { recursive: true });
    writeFileSync(join(skill, 'SKILL.md'), '---\nname: mine\ndescription: says hello\n---\nSay hello.\n');
    expect((await stage.cli(['start', '--daemon'], { timeoutMs: 120_000 })).code).toBe(0);
    const { hash } = JSON.parse((await stage.cli(['skill', 'install', skill, '--json'])).stdout);
    for (const args of [
      ['trust', trusted, '--yes'],
      ['skill', 'install', skill, '--global', '--yes', '--hash', hash],
      ['memory', 'reindex'],
      ['run', '--approve', 'allow', 'write it'],
      ['stop'],
    ]) {
      const { code, stderr } = await stage.cli(args, { timeoutMs: 120_000 });
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: expect.any(String) });
    }
    mkdirSync(join(layout.outputs, 'some-session'), { recursive: true });
    const whole = `${layout.root}-whole`;
    cpSync(layout.root, whole, { recursive: true });
    expect((await doctor()).ok).toBe(true);
    const commands = new Set<string>();
    for (const { row, state, path, damage } of damages(layout)) {
      rmSync(layout.root, { recursive: true, force: true });
      cpSync(whole, layout.root, { recursive: true });
      damage(path);
      const { text } = await doctor();
      const { checks }: { checks: Row[] } = JSON.parse(text);
      const found = checks.find(({ name, state: is }) => name === row && is !== 'ok');
      expect({ row, path, state: found?.state }).toEqual({ row, path, state });
      expect(found?.detail).toContain(basename(path));
      for (const [, words = ''] of (found?.fix ?? '').matchAll(/`bulkhead ([^`]+)`/g)) commands.add(words);
    }
    rmSync(whole, { recursive: true, force: true });
    for (const words of commands) {
      const lower = words.split(' ').filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('--'));
      const { code } = await stage.cli([...lower, '--help']);
      expect({ words, code }).toEqual({ words, code: 0 });
    }
    expect(commands.size).toBeGreaterThan(3);
  },
  TIMEOUT_MS,
);

interface Row {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
  readonly fix: string;
}

/** One damage for each kind of file, and the row of doctor that has to name it. */
function damages(layout: HomeLayout) {
  const flip = (path: string): void => writeFileSync(path, harmed(readFileSync(path), 'flipped'));
  const oneIn = (folder: string, pattern: RegExp): string => {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
      pattern.test(name),
    );
    if (found === undefined) throw new Error(`${folder} holds nothing like ${pattern}`);
    return join(folder, found);
  };
  const content = oneIn(`${layout.chronicle}/blobs`, /[0-9a-f]{64}$/);
  const database = (row: string, path: string) => ({ row, state: 'bad', path, damage: flip });
  return [
    { row: 'config', state: 'bad', path: layout.config, damage: flip },
    { row: 'policy', state: 'bad', path: `${layout.policies}/default.yaml`, damage: flip },
    { row: 'chronicle', state: 'bad', path: content, damage: flip },
    { row: 'chronicle', state: 'bad', path: content, damage: (path: string) => rmSync(path) },
    { row: 'trust', state: 'bad', path: oneIn(layout.trust, /json$/), damage: flip },
    { row: 'skill pins', state: 'bad', path: `${layout.state}/skills.json`, damage: flip },
    { row: 'memory index', state: 'warn', path: oneIn(layout.state, /memory-index\.db$/), damage: flip },
    {
      row: 'outputs',
      state: 'bad',
      path: join(layout.outputs, 'some-session'),
      damage: (path: string) => {
        rmSync(path, { recursive: true });
        writeFileSync(path, 'no folder');
      },
    },
    { row: 'labels', state: 'bad', path: layout.database, damage: unknownLabel },
    database('access', layout.access),
    database('sessions', layout.database),
  ];
}

function unknownLabel(path: string): void {
  using database = new DatabaseSync(path);
  database.exec("INSERT INTO labels VALUES ('file', '/x', 'unheard of', 'user')");
}

function harmed(bytes: Buffer, harm: 'empty' | 'cut' | 'flipped'): Buffer {
  if (harm === 'empty') return Buffer.alloc(0);
  if (harm === 'cut') return bytes.subarray(0, Math.floor(bytes.length / 2));
  const flipped = Buffer.from(bytes);
  for (let at = 0; at < 64 && at < flipped.length; at += 1) flipped[at] = 255 - (flipped[at] ?? 0);
  return flipped;
}
