import { describe, expect, it } from 'vitest';
import { readProbeOutput } from './probe-output.ts';

const good = 'landlock 7\na ok\nb ok refused outside, too\nprobes 2 failed 0\n';
const read = (stdout: string, status: number | null = 0, stderr = '') =>
  readProbeOutput({ status, stdout, stderr });

describe('readProbeOutput', () => {
  it('accepts a complete list of successes', () => {
    expect(read(good)).toEqual({ ok: true, landlockAbi: 7, failed: [] });
  });

  it('names what failed and says how', () => {
    const stdout = 'landlock 7\na ok\nb FAIL inside: success\nc FAIL inside: errno 2\nprobes 3 failed 2\n';
    expect(read(stdout, 1)).toEqual({
      ok: false,
      landlockAbi: 7,
      failed: ['b', 'c'],
      reason: '2 of 3 probes failed; b: inside: success',
    });
  });

  it.each([
    ['nothing', ''],
    ['no total', 'landlock 7\na ok\nb ok\n'],
    ['a missing line', 'landlock 7\na ok\nprobes 2 failed 0\n'],
    ['a line too many', good.replace('a ok', 'c ok\na ok')],
    ['no version of Landlock', 'a ok\nb ok\nprobes 2 failed 0\n'],
    ['a line of another form', 'landlock 7\na ok\nb maybe\nprobes 2 failed 0\n'],
    ['no probes', 'landlock 7\nprobes 0 failed 0\n'],
    ['a total that contradicts', 'landlock 7\na ok\nprobes 1 failed 1\n'],
  ])('takes %s for a failure', (_, stdout) => {
    expect(read(stdout)).toMatchObject({ ok: false, reason: expect.any(String) });
  });

  it('takes a status other than 0 for a failure, whatever the lines say', () => {
    expect(read(good, 1)).toMatchObject({ ok: false });
    expect(read(good, null)).toMatchObject({ ok: false });
  });

  it('passes the launcher’s own words on', () => {
    expect(read('', 125, 'bulkhead-launcher: mount /proc: errno 1\n')).toEqual({
      ok: false,
      landlockAbi: 0,
      failed: [],
      reason: 'bulkhead-launcher: mount /proc: errno 1',
    });
  });
});
