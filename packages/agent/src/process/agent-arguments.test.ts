import { describe, expect, it } from 'vitest';
import { parseAgentArguments } from './agent-arguments.ts';

describe('parseAgentArguments', () => {
  it('waits 10 s for the first tool definitions unless told otherwise [P4]', () => {
    expect(parseAgentArguments(['--token', 't'])).toEqual({ token: 't', initialToolsTimeoutMs: 10_000 });
    expect(
      parseAgentArguments(['--token', 't', '--initial-tools-timeout-ms', '5']).initialToolsTimeoutMs,
    ).toBe(5);
  });

  it.each([
    [[]],
    [['--token', '']],
    [['--token', 't', '--session', 's']],
    [['--token', 't', '--initial-tools-timeout-ms', '0']],
    [['--token', 't', '--initial-tools-timeout-ms', 'soon']],
  ])('refuses %j', (args) => {
    expect(() => parseAgentArguments(args)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
