import { processorMs } from '@bulkhead/testkit/processor-time';
import { describe, expect, it } from 'vitest';
import { PROSE_SECTIONS } from './outline.ts';
import { readAnswer } from './summary-text.ts';

describe('readAnswer', () => {
  it.each(['## Goal', '**1. goal:**', '#  Goal :  ##', '   ### GOAL'])(
    'takes %j for a heading',
    (heading) => {
      expect(readAnswer(`${heading}\n- one`, PROSE_SECTIONS)?.sections.get('Goal')).toEqual(['one']);
    },
  );

  it.each([`## a${' '.repeat(5_000)}!`, `## ${'a '.repeat(5_000)}!`, `**a${' :'.repeat(5_000)}!`])(
    'is not kept busy by a line that is nearly a heading',
    (line) => {
      const read = () => readAnswer(`## Goal\n- one\n${line}`, PROSE_SECTIONS);
      expect(read()?.sections.get('Goal')?.[0]).toBe('one');
      expect(processorMs(() => void read(), 200)).toBeLessThan(200);
    },
  );
});
