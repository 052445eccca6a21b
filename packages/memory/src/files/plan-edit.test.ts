import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planEdit } from './plan-edit.ts';
import { writePlanned } from './plan-write.ts';
import { ProfileFiles } from './profile-files.ts';

let root: string;
let files: ProfileFiles;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bulkhead-edit-'));
  files = new ProfileFiles(root, () => '0123456789abcdef');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (content: string | Buffer, name = 'MEMORY.md') => writeFileSync(join(root, name), content);
const now = (name = 'MEMORY.md') => readFileSync(join(root, name), 'utf8');

describe('a file of memory that a person rewrites', () => {
  it('is as they want it, and the lines that are new are known [M4] [I3]', () => {
    put('# Memory\n\n- one\n- two\n');
    const planned = planEdit(files, 'MEMORY.md', '# Memory\n\n- two\n- three\n\n');
    expect(planned.added).toEqual(['- three']);
    writePlanned(files, planned);
    expect(now()).toBe('# Memory\n\n- two\n- three\n\n');
    expect(planEdit(files, 'MEMORY.md', now()).after).toBeUndefined();
  });

  it('keeps its ends of lines and its byte order mark', () => {
    put('\ufeff# Memory\r\n\r\n- one\r\n');
    const planned = planEdit(files, 'MEMORY.md', '# Memory\n\n- one\n- two\n');
    expect(planned.added).toEqual(['- two']);
    writePlanned(files, planned);
    expect(now()).toBe('\ufeff# Memory\r\n\r\n- one\r\n- two\r\n');
  });

  it('is written only if it is what it was [M4]', () => {
    put('- one\n');
    const planned = planEdit(files, 'MEMORY.md', '- mine\n');
    put('- theirs, and longer\n');
    expect(() => writePlanned(files, planned)).toThrow();
    expect(now()).toBe('- theirs, and longer\n');
  });

  it('is one of memory, there, whole and text', () => {
    for (const path of ['../x.md', 'knowledge/a.md', 'MEMORY (conflicted copy).md', 'config.yaml'])
      expect(() => planEdit(files, path, 'x')).toThrow(
        expect.objectContaining({ code: 'invalid_arguments' }),
      );
    expect(() => planEdit(files, 'USER.md', 'x')).toThrow(expect.objectContaining({ code: 'not_found' }));
    put(Buffer.from([0x2d, 0x20, 0xff, 0x0a]));
    expect(() => planEdit(files, 'MEMORY.md', 'x')).toThrow(expect.objectContaining({ code: 'tool_failed' }));
  });
});
