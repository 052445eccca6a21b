import { BulkheadError } from '@bulkhead/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Box } from './box.ts';
import { createMacSandbox } from './create-mac-sandbox.ts';
import { type MacProfile, renderMacProfile } from './macos-profile.ts';
import { limits } from './testing/box-fixture.ts';

const places = { program: '/opt/node', runtimeFiles: ['/opt/lib/a.dylib'], home: '/s/home' };
const agent: Box = { kind: 'agent', read: ['/code/agent.mjs'] };
const worker: Box = { kind: 'worker', read: ['/code/worker.mjs'], write: ['/work'], execute: ['/opt/rg'] };
const shell: Box = {
  kind: 'shell',
  workingFolder: '/work',
  home: '/home/box',
  readOnly: ['/more'],
  protect: ['/work/a/b/.git'],
  hide: ['/work/.env'],
  limits,
};

/** The rules, with each parameter replaced by its path in brackets. */
function rules({ text, parameters }: MacProfile): string[] {
  const named = new Map(parameters);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/\(param "(\w+)"\)/g, (_, name: string) => `<${named.get(name)}>`));
}

const boxes: readonly (readonly [string, Box])[] = [
  ['agent', agent],
  ['worker', worker],
  ['shell', shell],
];

describe('a profile for macOS (its text only: nobody has run it)', () => {
  it.each(boxes)('denies by default and ends with no network: %s', (_name, box) => {
    const lines = rules(renderMacProfile(box, places));
    expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
    expect(lines.at(-1)).toBe('(deny network*)');
    expect(lines.filter((line) => line.includes('network'))).toHaveLength(1);
    expect(lines.filter((line) => /mach-|iokit|\(allow default/.test(line))).toEqual([]);
  });

  it('lets an agent write nothing, start nothing, and read what is named', () => {
    const lines = rules(renderMacProfile(agent, places));
    expect(lines.filter((line) => line.includes('file-write'))).toEqual([
      '(allow file-write-data (subpath "/dev/null"))',
    ]);
    expect(lines.filter((line) => line.includes('process-fork'))).toEqual([]);
    expect(lines).toContain('(allow process-exec* (literal </opt/node>))');
    expect(lines).toContain('(allow file-read* (subpath </code/agent.mjs>))');
    expect(lines).toContain('(allow file-read* (subpath </opt/lib/a.dylib>) (subpath </opt/node>))');
  });

  it('lets a worker write its grant and start what is named', () => {
    const lines = rules(renderMacProfile(worker, places));
    expect(lines).toContain('(allow file-read* file-write* (subpath </work>))');
    expect(lines).toContain('(allow process-exec* (literal </opt/node>) (literal </opt/rg>))');
  });

  it('takes from a shell what is protected and hidden, after what it is given', () => {
    const lines = rules(renderMacProfile(shell, places));
    const given = lines.indexOf('(allow file-read* file-write* (subpath </work>) (subpath </s/home>))');
    expect(given).toBeGreaterThan(0);
    expect(lines.slice(given).filter((line) => line.startsWith('(deny'))).toEqual([
      '(deny file-write* (subpath </work/a/b/.git>))',
      '(deny file-write-unlink (literal </work/a>) (literal </work/a/b>))',
      '(deny file-read* file-write* (subpath </work/.env>))',
      '(deny network*)',
    ]);
  });

  it('has no rule without a filter where nothing is named: it would mean everything', () => {
    const none: Box = { kind: 'worker', read: [], write: [], execute: [] };
    const lines = rules(renderMacProfile(none, { ...places, runtimeFiles: [] }));
    expect(lines.filter((line) => /^\((allow|deny) file-(read|write)\*[^<"]*\)$/.test(line))).toEqual([]);
    expect(lines.some((line) => line.includes('file-write*'))).toBe(false);
  });

  it('keeps every path out of the text, whatever is in it', () => {
    const hostile = fc.oneof(
      fc.constantFrom(
        '")(allow default)("',
        '\n(allow network*)\n',
        '(param "PATH_0")',
        '\\"',
        ';',
        '$(id)',
        '=',
      ),
      fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
    );
    const plain = renderMacProfile(worker, places).text;
    fc.assert(
      fc.property(hostile, (name) => {
        const write = [`/work/${name}`];
        const { text, parameters } = renderMacProfile(
          { kind: 'worker', read: ['/code/worker.mjs'], write, execute: ['/opt/rg'] },
          places,
        );
        expect(text).toBe(plain);
        expect(parameters.map(([, path]) => path)).toContain(write[0]);
      }),
    );
  });

  it.each(['relative', '', '/nul\0inside', '../up'])('refuses %j', (path) => {
    expect(() => renderMacProfile({ kind: 'agent', read: [path] }, places)).toThrow(BulkheadError);
  });

  it('is not said to hold: nobody tried it', async () => {
    const sandbox = createMacSandbox({ nodePath: '/opt/node', runtimeFiles: [], scratch: '/s' });
    const { ok, boxes: found } = await sandbox.probe();
    expect([ok, found.agent.ok, found.worker.ok, found.shell.ok]).toEqual([false, false, false, false]);
  });
});
