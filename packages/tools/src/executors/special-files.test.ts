import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { shareOf } from '@bulkhead/testkit/sweep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolBench } from '../testing/tool-bench.ts';
import { treeState } from '../testing/tree-state.ts';

/** Milliseconds after which a tool counts as waiting for a special file: it would wait forever. */
const LIMIT_MS = 30_000;

let bench: ToolBench;

beforeEach(() => {
  bench = new ToolBench();
  writeFileSync(bench.at('a.txt'), 'needle\n');
});

afterEach(() => bench[Symbol.dispose]());

/** @returns how it ended, or `late` */
async function withinLimit(tool: string, input: unknown): Promise<string> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), LIMIT_MS);
  try {
    const { text } = await bench.run(tool, input, late.signal);
    return late.signal.aborted ? 'late' : text;
  } finally {
    clearTimeout(timer);
  }
}

function calls(path: string): readonly (readonly [string, object])[] {
  return [
    ['read', { path }],
    ['write', { path, content: 'x' }],
    ['edit', { path, old_text: 'a', new_text: 'b' }],
    ['grep', { pattern: 'needle', path }],
    ['find', { pattern: '*', path }],
    ['ls', { path }],
  ];
}

const canMakeDevices = (() => {
  using probe = new ToolBench();
  try {
    execFileSync('mknod', [probe.at('null'), 'c', '1', '3'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('a named pipe', () => {
  it('is refused at once by every tool, also behind a link, and no one is let in [FT08]', async () => {
    execFileSync('mkfifo', [bench.at('pipe')]);
    symlinkSync('pipe', bench.at('link'));
    const before = treeState(bench.root);
    for (const path of ['pipe', 'link']) {
      for (const [tool, input] of calls(path)) {
        expect(await withinLimit(tool, input), `${tool} ${path}`).toMatch(/^tool_failed: /);
      }
    }
    expect(treeState(bench.root)).toEqual(before);
  });

  it('does not hold up a search that comes by', async () => {
    execFileSync('mkfifo', [bench.at('pipe')]);
    expect(await withinLimit('grep', { pattern: 'needle' })).toBe('a.txt:1: needle');
    expect(await withinLimit('find', { pattern: '*' })).toBe('a.txt');
  });

  it.each(shareOf(['.gitignore', '.ignore', '.rgignore', 'sub/deep/.gitignore', '.git/info/exclude'], 2))(
    'that is called %s ends a search with a word, not with a minute of waiting [FT08]',
    async (name) => {
      mkdirSync(bench.at(name, '..'), { recursive: true });
      mkdirSync(bench.at('sub/deep'), { recursive: true });
      writeFileSync(bench.at('sub/deep/b.txt'), 'needle\n');
      execFileSync('mkfifo', [bench.at(name)]);
      for (const [tool, pattern] of [
        ['grep', 'needle'],
        ['find', '*'],
      ] as const) {
        for (const path of ['.', 'sub/deep']) {
          const text = await withinLimit(tool, { pattern, path });
          expect(text, `${tool} ${path}`).toMatch(/needle|b\.txt|is a named pipe/);
          if (path === 'sub/deep') continue;
          expect(text).toContain(
            `tool_failed: ${name}: is a named pipe; remove it, or no search can be made here`,
          );
        }
      }
    },
  );

  it('that an ignore file links to is found as well [FT08]', async () => {
    execFileSync('mkfifo', [bench.at('pipe')]);
    symlinkSync('pipe', bench.at('.ignore'));
    expect(await withinLimit('find', { pattern: '*' })).toContain('.ignore: leads to a named pipe');
  });
});

describe('a socket', () => {
  it('is refused by every tool and never connected to [FT08]', async () => {
    let connections = 0;
    const server = createServer(() => {
      connections += 1;
    }).listen(bench.at('socket'));
    await once(server, 'listening');
    try {
      for (const [tool, input] of calls('socket')) {
        expect(await withinLimit(tool, input), tool).toMatch(/^tool_failed: /);
      }
      expect(await withinLimit('grep', { pattern: 'needle' })).toBe('a.txt:1: needle');
      expect(connections).toBe(0);
    } finally {
      server.close();
    }
  });
});

describe.runIf(canMakeDevices)('a device', () => {
  it.each([
    ['null', ['c', '1', '3']],
    ['zero', ['c', '1', '5']],
    ['terminal', ['c', '5', '0']],
    ['disk', ['b', '7', '200']],
  ] as const)('is refused by every tool and not opened: %s [FT08]', async (name, kind) => {
    execFileSync('mknod', [bench.at(name), ...kind]);
    const before = treeState(bench.root);
    for (const [tool, input] of calls(name)) {
      expect(await withinLimit(tool, input), tool).toMatch(/^tool_failed: /);
    }
    expect(await withinLimit('grep', { pattern: 'needle' })).toBe('a.txt:1: needle');
    expect(await withinLimit('ls', {})).toMatch(new RegExp(`^[bc] +0 ${name}$`, 'm'));
    expect(treeState(bench.root)).toEqual(before);
  });
});

describe('set-user bits', () => {
  it('are dropped from a file that is changed, and never given to a new one [FT08]', async () => {
    const modeOf = (name: string) => statSync(bench.at(name)).mode & 0o7777;
    for (const tool of ['write', 'edit'] as const) {
      chmodSync(bench.at('a.txt'), 0o6755);
      const input =
        tool === 'write'
          ? { path: 'a.txt', content: 'needle\n' }
          : { path: 'a.txt', old_text: 'needle', new_text: 'needle ' };
      expect((await bench.run(tool, input)).isError).toBe(false);
      expect(modeOf('a.txt')).toBe(0o755);
    }
    await bench.run('write', { path: 'new/b.txt', content: 'x' });
    expect(modeOf('new/b.txt') & 0o7111).toBe(0);
    expect(modeOf('new') & 0o7000).toBe(0);
    expect(readFileSync(bench.at('new/b.txt'), 'utf8')).toBe('x');
    linkSync(bench.at('new/b.txt'), bench.at('c.txt'));
    expect((await bench.run('write', { path: 'c.txt', content: 'y' })).isError).toBe(true);
  });
});
