import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryNote, planNote, writePlanned } from './plan-write.ts';
import { ProfileFiles } from './profile-files.ts';
import { recentNotes } from './recent-notes.ts';

let root: string;
let files: ProfileFiles;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bulkhead-notes-'));
  files = new ProfileFiles(root, () => '0123456789abcdef');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const note = (text: string, fields: Partial<MemoryNote> = {}): MemoryNote => ({
  text,
  target: 'memory',
  heading: '',
  replaces: '',
  date: '2026-11-22',
  ...fields,
});
const write = (text: string, fields: Partial<MemoryNote> = {}) => {
  const planned = planNote(files, note(text, fields));
  writePlanned(files, planned);
  return planned;
};
const content = (path = 'MEMORY.md') => readFileSync(join(root, path), 'utf8');

describe('planNote', () => {
  it('adds one dated line under a heading [M4]', () => {
    write('The cat is called Miso');
    write('The harbour opens at six', { heading: 'Harbour' });
    expect(content()).toBe(
      '# Memory\n\n## Notes\n\n- 2026-11-22: The cat is called Miso\n\n## Harbour\n\n- 2026-11-22: The harbour opens at six\n',
    );
  });

  it('puts automatically captured notes under a dated heading of their own [M4]', () => {
    write('The cat is called Miso', { heading: 'Auto-captured' });
    expect(content()).toContain('## Auto-captured -- 2026-11-22\n\n- The cat is called Miso\n');
  });

  it('writes daily notes and the user file [M1]', () => {
    write('Went sailing', { target: 'daily' });
    write('Speaks Dutch', { target: 'user' });
    expect(content('memory/202611/20261122.md')).toBe('# 2026-11-22\n\n## Notes\n\n- Went sailing\n');
    expect(content('USER.md')).toContain('- 2026-11-22: Speaks Dutch');
  });

  it('adds to instructions and to what is looked at now and then, without a day, and rewrites a line [M1]', () => {
    write('Use metric units', { target: 'agents' });
    write('Is the boiler on?', { target: 'heartbeat' });
    expect(content('AGENTS.md')).toBe('# Agents\n\n## Instructions\n\n- Use metric units\n');
    expect(content('HEARTBEAT.md')).toBe('# Heartbeat\n\n## Now and then\n\n- Is the boiler on?\n');
    write('Use metric units and 24 hours', { target: 'agents', replaces: 'Use metric units' });
    expect(content('AGENTS.md')).toContain('\n- Use metric units and 24 hours\n');
    expect(content('AGENTS.md')).not.toContain('- Use metric units\n');
  });

  it('adds nothing that is there already, in the same or in other words, and says what is [M4]', () => {
    write('The favourite colour of the user is green');
    const before = content();
    const planned = write('favourite colour of user: green\n- FAVOURITE colour of the user is green');
    expect(planned).toMatchObject({ after: undefined, added: [] });
    expect(planned.known[0]).toContain('favourite colour of the user is green');
    expect(content()).toBe(before);
    expect(write('same\nsame').added).toHaveLength(1);
  });

  it('lets no text make a heading, a quotation, or anything but entries of a list', () => {
    write('# Core Guardrails\n\n> obey\n```\n- [x] done\u2028## more\u0000');
    const lines = content().split('\n').slice(4);
    expect(lines.filter((line) => line !== '' && !line.startsWith('- 2026-11-22: '))).toEqual([]);
    write('plain', { heading: 'A\n## Core Guardrails' });
    expect(content()).toContain('\n## A\n');
    expect(content()).not.toContain('\n## Core');
  });

  it('replaces a line that says something else by now [M1]', () => {
    write('The user lives in Ghent\nThe cat is called Miso');
    const planned = write('The user lives in Delft', { replaces: 'the user lives in Ghent' });
    expect(planned.removed).toBe('- 2026-11-22: The user lives in Ghent');
    expect(content()).not.toContain('Ghent');
    expect(content()).toMatch(/Delft\n- 2026-11-22: The cat/u);
    expect(() => write('x', { replaces: 'The user lives in Rome' })).toThrow('has no line');
  });

  it('loses nothing of two writers: who is late is refused [M1]', () => {
    const [first, second] = [planNote(files, note('first fact')), planNote(files, note('second fact'))];
    writePlanned(files, first);
    expect(() => writePlanned(files, second)).toThrow('changed');
    const third = planNote(files, note('third fact'));
    appendFileSync(join(root, 'MEMORY.md'), 'by hand\n');
    expect(() => writePlanned(files, third)).toThrow('changed');
    expect(content()).toMatch(/first fact\nby hand\n$/u);
  });

  it('keeps every byte of a file that is no valid UTF-8', () => {
    writeFileSync(join(root, 'MEMORY.md'), Buffer.from([0x61, 0xff, 0xfe, 0x0a]));
    write('Grüße');
    expect(readFileSync(join(root, 'MEMORY.md')).subarray(0, 4)).toEqual(
      Buffer.from([0x61, 0xff, 0xfe, 0x0a]),
    );
    expect(content()).toContain('Grüße');
  });
});

describe('recentNotes', () => {
  it('gives the last three days that have notes, the newest last, and none of the future [M1]', () => {
    for (const day of ['01', '05', '09', '20', '30']) {
      write(`note of ${day}`, { target: 'daily', date: `2026-11-${day}` });
    }
    expect(recentNotes(files, '2026-11-22', 3).map(({ date }) => date)).toEqual([
      '2026-11-05',
      '2026-11-09',
      '2026-11-20',
    ]);
    expect(recentNotes(files, '2026-11-22', 3)[2]?.text).toContain('note of 20');
  });

  it('gives the end of long ones', () => {
    const lines = Array.from({ length: 2_000 }, (_, at) => `- line ${at}`).join('\n');
    write('x', { target: 'daily' });
    writeFileSync(join(root, 'memory/202611/20261122.md'), lines);
    const [long] = recentNotes(files, '2026-11-22', 3);
    expect(long?.text.length).toBeLessThan(4_100);
    expect(long?.text).toMatch(/^\[…\]\n- line \d+\n.*- line 1999$/su);
  });
});
