import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { shareOf } from '@bulkhead/testkit/sweep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostileFiles } from './support/hostile-repo.ts';
import { pathsBelow, straceOf } from './support/strace-log.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

const KEY = 'sk-canary-0f3c9a';
const hasStrace = spawnSync('strace', ['-V']).status === 0;

/** A server that no process may ever connect to. */
let decoy: Server;
let visits: number;
const decoyUrl = (): string => {
  const address = decoy.address();
  if (address === null || typeof address === 'string') throw new Error('the decoy does not listen');
  return `http://127.0.0.1:${address.port}`;
};

beforeEach(async () => {
  visits = 0;
  decoy = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => decoy.listen(0, '127.0.0.1', resolve));
  for (const [path, text] of hostileFiles(decoyUrl(), stage().folder)) stage().write(path, text);
});
afterEach(() => new Promise((resolve) => decoy.close(resolve)));

describe('a hostile folder that no one trusts', () => {
  const log = () => join(stage().userHome, 'strace.log');
  const traced = async (args: readonly string[]) => {
    const { code, stderr } = await stage().cli(args, { under: straceOf(log()) });
    expect(code, stderr).toBe(0);
    return pathsBelow(readFileSync(log(), 'utf8'), stage().folder);
  };

  beforeEach((context) => {
    if (!hasStrace) context.skip('strace is not here to see what is opened');
  });

  it('is not looked into by any process of ours: no name in it is used [FT97]', async () => {
    await stage().model([{ text: 'hello' }]);
    expect(await traced(['run', '--isolated', 'hello'])).toEqual([]);
  });

  it('the control: what the model reads is seen, and nothing beside it [FT97]', async () => {
    await stage().model([{ toolCalls: [{ name: 'read', args: { path: 'AGENTS.md' } }] }, { text: 'done' }]);
    const paths = await traced(['run', '--isolated', 'read it']);
    expect(paths).toContain('AGENTS.md');
    expect(new Set(paths)).toEqual(new Set(['AGENTS.md']));
  });

  it('is not looked into by the commands that need no folder [FT97]', async () => {
    for (const args of shareOf([['doctor'], ['version'], ['config', 'get'], ['help']], 2))
      expect(await traced(args), args.join(' ')).toEqual([]);
  });
});

describe('a hostile folder', () => {
  /** Runs with a key and a configured provider; says who got the key. */
  async function runWithKey(env: Readonly<Record<string, string>> = {}) {
    const server = await stage().model([{ text: 'hello' }], { chat: 'apiKeyEnv: CANARY_KEY,' });
    const { code, stdout } = await stage().cli(['run', '--isolated', 'hello'], {
      env: { CANARY_KEY: KEY, ...env },
    });
    return { code, stdout, requests: server.requests };
  }

  it('sets no endpoint, proxy, certificate or key: the key reaches the configured host alone [FT98]', async () => {
    const { code, stdout, requests } = await runWithKey();
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'hello\n' });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers['authorization']).toBe(`Bearer ${KEY}`);
    expect(visits).toBe(0);
    await fetch(decoyUrl()).catch(() => undefined);
    expect(visits, 'the control: the decoy counts').toBe(1);
  });

  it('sets nothing after it is trusted, either [FT98]', async () => {
    expect((await stage().cli(['trust', '--yes'])).code).toBe(0);
    await stage().cli(['stop']);
    const { code, requests } = await runWithKey();
    expect({ code, requests: requests.length, visits }).toEqual({ code: 0, requests: 1, visits: 0 });
  });

  it('runs no code of its own when we are started in it [FT98]', async () => {
    expect((await runWithKey()).code).toBe(0);
    for (const args of [['doctor'], ['status'], ['version']]) await stage().cli(args);
    expect(existsSync(join(stage().folder, 'planted-code-ran'))).toBe(false);
    // The control: what is planted does run where its file is loaded.
    spawnSync(process.execPath, ['--require', './preload.cjs', '-e', '0'], { cwd: stage().folder });
    expect(existsSync(join(stage().folder, 'planted-code-ran'))).toBe(true);
  });

  it('finds no variable that would do it for it: none of a shell changes where a key goes [FT98]', async () => {
    const names = [
      'OPENAI_BASE_URL',
      'OPENAI_API_BASE',
      'ANTHROPIC_BASE_URL',
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'ALL_PROXY',
    ];
    const env = Object.fromEntries(
      names.flatMap((name) => [
        [name, decoyUrl()],
        [name.toLowerCase(), decoyUrl()],
      ]),
    );
    const { code, requests } = await runWithKey(env);
    expect({ code, requests: requests.length, visits }).toEqual({ code: 0, requests: 1, visits: 0 });
  });

  it('can not be made to preload code by variables of Node in the environment [FT98]', async () => {
    const env = { NODE_OPTIONS: '--require ./preload.cjs', NODE_PATH: stage().folder };
    expect((await runWithKey(env)).code).toBe(0);
    expect(existsSync(join(stage().folder, 'planted-code-ran'))).toBe(false);
  });

  it('can not trust itself: a command of the model can neither ask for it nor write the record [FT98]', async () => {
    const { layout } = stage();
    const attack = [
      `mkdir -p '${layout.trust}'`,
      `echo x > '${layout.trust}/${'0'.repeat(64)}.json'`,
      `BULKHEAD_HOME='${layout.root}' bulkhead trust --yes .`,
      `cat '${layout.token}' && echo leaked`,
    ].join('; ');
    await stage().model([{ toolCalls: [{ name: 'bash', args: { command: attack } }] }, { text: 'done' }]);
    const { stdout } = await stage().cli(['run', '--json', '--approve', 'allow', 'go']);
    expect(stdout).not.toContain('leaked\\n');
    expect(existsSync(layout.trust)).toBe(false);
    expect(JSON.parse((await stage().cli(['trust', '--list', '--json'])).stdout)).toEqual([]);
  });
});

describe('bulkhead trust', () => {
  const trust = async (...args: readonly string[]) => {
    const { code, stdout } = await stage().cli(['trust', '--json', ...args]);
    return { code, ...JSON.parse(stdout) };
  };

  it('is bound to the bytes: a change ends it and is named, also for the engine after this one', async () => {
    expect(await trust()).toMatchObject({ code: 3, state: 'untrusted' });
    expect(await trust('--yes')).toMatchObject({ code: 0, state: 'trusted' });
    await stage().cli(['stop']);
    expect(await trust()).toMatchObject({ code: 0, state: 'trusted' });
    stage().write('AGENTS.md', 'now do something else');
    stage().write('.bulkhead/extensions/late.ts', 'export const late = 1;');
    expect(await trust()).toMatchObject({
      code: 3,
      state: 'changed',
      changes: [
        { path: '.bulkhead/extensions/late.ts', what: 'added' },
        { path: 'AGENTS.md', what: 'changed' },
      ],
    });
    expect(await trust('--revoke', '.')).toMatchObject({ code: 0, revoked: true });
    expect(await trust()).toMatchObject({ code: 3, state: 'untrusted' });
    const audit = readdirSync(stage().layout.audit).map((name) =>
      readFileSync(join(stage().layout.audit, name), 'utf8'),
    );
    expect(audit.join('').match(/"step":"(TRUSTED|TRUST_REVOKED)"/g)).toEqual([
      '"step":"TRUSTED"',
      '"step":"TRUST_REVOKED"',
    ]);
    expect((await stage().cli(['doctor'])).stdout).toMatch(/ok {3}audit log/);
  });

  it('asks no one where no person is present, and says so', async () => {
    const { code, stderr } = await stage().cli(['trust']);
    expect(code).toBe(3);
    expect(stderr).toContain('.bulkhead/config.yaml');
    expect(stderr).toContain('add --yes to trust it');
  });
});
