import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tool } from '../testing/model-fixtures.ts';
import { CORE, play, type ToolReply } from '../testing/play-offline.ts';
import { OFFLINE_LABEL } from './answer-text.ts';

describe('the offline model [D1]', () => {
  it('always ends within 8 rounds and never throws, whatever it is asked and whatever tools answer', async () => {
    const wish = fc.constantFrom(
      'list the files here',
      'largest file',
      'read a.txt',
      'show the last 3 lines of it',
      'count lines',
      'append "x" to a.txt',
      'run `x`',
      'find *.ts',
      'search for y',
      'create b.txt with z',
      'replace a with b in c.txt',
      'blah',
    );
    const request = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.array(wish, { maxLength: 9 }).map((wishes) => wishes.join(', then ')),
    );
    const reply = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '- 1 a\n[9 more entries: continue with offset=1]',
        'x\n[lines 1-1 of 9; continue with offset=2]',
        '[empty file]',
        '',
      ),
    );
    const replies = fc.array(fc.record({ text: reply, isError: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    });
    const loaded = fc.subarray([...CORE, tool('load_tools')]);
    await fc.assert(
      fc.asyncProperty(request, replies, loaded, async (text, results, definitions) => {
        let position = 0;
        const next = (): ToolReply => results[position++ % results.length] ?? { text: '' };
        const { answer } = await play(text, next, { definitions });
        expect(answer.startsWith(OFFLINE_LABEL)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
