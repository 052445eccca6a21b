import { describe, expect, it } from 'vitest';
import { usagePeriod } from './usage-period.ts';

describe('usagePeriod', () => {
  it('includes both days', () => {
    expect(usagePeriod('2026-01-31', '2026-02-28')).toEqual({
      from: '2026-01-31T00:00:00.000Z',
      to: '2026-03-01T00:00:00.000Z',
    });
    expect(usagePeriod('2026-01-31', '2026-01-31').to).toBe('2026-02-01T00:00:00.000Z');
    expect(usagePeriod(undefined, undefined)).toEqual({ from: '', to: '' });
  });

  it.each<[string | undefined, string | undefined, string]>([
    ['yesterday', undefined, '--from is a day'],
    ['2026-02-30', undefined, '--from is a day'],
    [undefined, '2026-13-01', '--to is a day'],
    [undefined, '2026-1-1', '--to is a day'],
    ['2026-01-02', '2026-01-01', 'comes after'],
  ])('refuses %s to %s', (from, to, part) => {
    expect(() => usagePeriod(from, to)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(part) }),
    );
  });
});
