import { describe, expect, it } from 'vitest';
import { parseAgentArguments } from './agent-arguments.ts';

const GIVEN = ['--token', 't', '--protocol', '2'];

describe('parseAgentArguments', () => {
  it('waits 10 s for the first tool definitions by default [P4]', () => {
    expect(parseAgentArguments(GIVEN)).toEqual({
      token: 't',
      protocolVersion: 2,
      initialToolsTimeoutMs: 10_000,
    });
    expect(parseAgentArguments([...GIVEN, '--initial-tools-timeout-ms', '5']).initialToolsTimeoutMs).toBe(5);
  });

  it.each([
    [[]],
    [['--token', '', '--protocol', '2']],
    [['--token', 't']],
    [['--token', 't', '--protocol', 'two']],
    [[...GIVEN, '--session', 's']],
    [[...GIVEN, '--probe', 'everything']],
    [[...GIVEN, '--initial-tools-timeout-ms', '0']],
    [[...GIVEN, '--initial-tools-timeout-ms', 'soon']],
  ])('refuses %j', (args) => {
    expect(() => parseAgentArguments(args)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
