import { describe, expect, it } from 'vitest';
import { parseSupervisorReport } from './start-engine.ts';

describe('supervisor report', () => {
  it('reads progress, ready and failed', () => {
    expect(parseSupervisorReport('{"type":"progress","text":"opening"}')).toEqual({
      type: 'progress',
      text: 'opening',
    });
    expect(parseSupervisorReport('{"type":"ready","engine_pid":7,"http":"http://x"}')).toEqual({
      type: 'ready',
      enginePid: 7,
      http: 'http://x',
    });
    const failed = parseSupervisorReport(
      '{"type":"failed","code":"config_invalid","message":"line 3","fix":"Mend it."}',
    );
    expect(failed).toMatchObject({
      type: 'failed',
      error: { code: 'config_invalid', message: 'line 3', fix: 'Mend it.' },
    });
  });

  it('keeps a failure with a code it does not know a failure', () => {
    expect(parseSupervisorReport('{"type":"failed","code":"brand_new"}')).toMatchObject({
      error: { code: 'internal' },
    });
  });

  it.each(['', 'null', '[]', '{"type":"hello"}', '{"type":', '"ready"'])('refuses %j', (line) => {
    expect(() => parseSupervisorReport(line)).toThrow(
      expect.objectContaining({ code: 'protocol_violation' }),
    );
  });
});
