import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oddNames } from '../testing/odd-names.ts';
import { memoryFolder } from '../testing/temporary-folder.ts';
import { ToolBench } from '../testing/tool-bench.ts';

const NAMES = oddNames(210);
/** Characters that a terminal acts on, hides or shows as nothing. */
const UNSHOWN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\uFFFD]|(?! )\p{Zs}/u;

let bench: ToolBench;

const at = (name: Buffer) => Buffer.concat([Buffer.from(`${bench.root}/`), name]);
const names = () => readdirSync(bench.root, { encoding: 'buffer' }).toSorted(Buffer.compare);
const indexOf = (content: string) => Number(/number (\d+)/.exec(content)?.[1]);

beforeEach(() => {
  bench = new ToolBench(memoryFolder());
  for (const [index, name] of NAMES.entries()) writeFileSync(at(name), `number ${index} end`);
});

afterEach(() => bench[Symbol.dispose]());

describe('odd names of files', () => {
  it('are some two hundred, all different', () => {
    expect(names()).toHaveLength(NAMES.length);
    expect(NAMES.length).toBeGreaterThanOrEqual(200);
  });

  it('are listed one a line, escaped, and each can be read, edited and replaced as it was listed [FT15]', async () => {
    const lines = (await bench.text('ls', { limit: 500 })).split('\n');
    expect(lines.pop()).toBe(`${NAMES.length} entries`);
    expect(lines).toHaveLength(NAMES.length);
    const met = new Set<number>();
    for (const line of lines) {
      expect(line).not.toMatch(UNSHOWN);
      const path = /^- +\d+ (.*)$/.exec(line)?.[1] ?? '';
      const index = indexOf(await bench.text('read', { path: `./${path}` }));
      met.add(index);
      expect(await bench.text('edit', { path, old_text: 'end', new_text: 'edited' })).toContain('edited');
      expect(await bench.text('write', { path, content: `number ${index} replaced` })).toContain('replaced');
    }
    expect(met.size).toBe(NAMES.length);
    expect(names()).toEqual([...NAMES].toSorted(Buffer.compare));
    for (const [index, name] of NAMES.entries()) {
      expect(readFileSync(at(name), 'utf8')).toBe(`number ${index} replaced`);
    }
  });

  it('are found and searched under the same names [FT15]', async () => {
    const found = (await bench.text('find', { pattern: '*', limit: 1_000 })).split('\n');
    expect(found).toHaveLength(NAMES.length);
    for (const path of found) expect(path).not.toMatch(UNSHOWN);
    const matches = (await bench.text('grep', { pattern: 'number \\d+ end', limit: 1_000 })).split('\n');
    expect(matches).toHaveLength(NAMES.length);
    const listed = new Set(found);
    for (const match of matches) {
      const path = match.replace(/:1: number \d+ end$/, '');
      expect(listed).toContain(path);
      expect(await bench.text('read', { path })).toBe(match.slice(path.length + 4));
    }
  });
});
