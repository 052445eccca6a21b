import { describe, expect, it } from 'vitest';
import { commandReport } from './examine.ts';

const BOXES = [{ kind: 'shell', holds: false, walls: [], detail: 'none (errno 1)' }];

describe('the report of doctor about commands', () => {
  it('is what holds, where they are held back', () => {
    expect(commandReport(BOXES, {})).toEqual({ detail: 'shell: none (errno 1)' });
  });

  it('is what they work on, where no overlay can be made', () => {
    const onCopy = commandReport(BOXES, { view: { kind: 'copy' } });
    expect(onCopy.detail).toContain('on a copy of their folder');
    expect(onCopy.better).toBeUndefined();
    expect(commandReport(BOXES, { view: { kind: 'live', why: 'no place' } })).toEqual({
      detail: expect.stringContaining('every command asks, and changes its folder at once: no place'),
      better: expect.stringContaining('disk'),
    });
  });

  it('is that every command asks, where only bwrap makes boxes', () => {
    const asks = { reason: 'what it changes here is changed at once', rule: 'commands/live' as const };
    expect(commandReport(BOXES, { asks })).toEqual({
      detail: expect.stringContaining('every command asks: what it changes here is changed at once (bwrap'),
      better: expect.stringContaining('name spaces'),
    });
  });

  it('is a failure with a way out, where no box can be made', () => {
    const asks = { reason: 'no box can be made', rule: 'commands/unboxed' as const };
    expect(() => commandReport(BOXES, { asks })).toThrow(
      expect.objectContaining({
        code: 'sandbox_unavailable',
        message: expect.stringContaining('every command asks: no box can be made'),
        fix: expect.stringContaining('bubblewrap'),
      }),
    );
  });
});
