import { describe, expect, it } from 'vitest';
import { readableLogLine } from './log-line.ts';

describe('readableLogLine', () => {
  it('shows time, level, message and what else there is', () => {
    const line = '{"level":50,"time":0,"pid":1,"hostname":"h","msg":"broke","session":"s1","n":2}';
    expect(readableLogLine(line)).toEqual({
      text: '1970-01-01T00:00:00.000Z error broke session=s1 n=2',
      problem: true,
    });
  });

  it.each(['not json', '[1]', '"x"', '{"half":'])('leaves %j as it is', (line) => {
    expect(readableLogLine(line)).toEqual({ text: line, problem: false });
  });

  it('survives fields of wrong types', () => {
    expect(readableLogLine('{"level":"high","time":1e99,"msg":5}').text).toBe('');
  });
});
