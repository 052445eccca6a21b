import type { ToolDescription } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { buildAction } from './canonical-action.ts';

const tool: ToolDescription = {
  name: 'write',
  description: '',
  group: 'files',
  readOnly: false,
  effect: 'idempotent',
  inputSchema: {},
  parse: () => ({}),
  paths: (args) => [{ path: String(args['path']), access: 'write' }],
};

const built = (args: Readonly<Record<string, unknown>>) =>
  buildAction(
    {
      sessionId: 's',
      runId: 'r',
      callId: 'c',
      tool: 'write',
      loaded: true,
      argumentsJson: '',
      workingFolder: '/project',
    },
    tool,
    args,
    { id: 'a', time: 0 },
  );
const pathsOf = (path: string) => built({ path }).metadata.paths;

describe('the paths of an action', () => {
  it.each(['src/a.ts', './src//a.ts', '/project/src/a.ts', '/project/./src/a.ts'])(
    'are where they lead, and no more where the name says the same: %s',
    (path) => {
      expect(pathsOf(path)).toEqual([{ path: '/project/src/a.ts', access: 'write' }]);
    },
  );

  it.each(['.vscode/../src/a.ts', 'src/../src/a.ts', '/project/.vscode/../src/a.ts'])(
    'keep the name that says something else, so that it is judged too: %s [FT14]',
    (named) => {
      expect(pathsOf(named)).toEqual([{ path: '/project/src/a.ts', named, access: 'write' }]);
    },
  );
});

describe('what is judged', () => {
  it('is what the bytes say, whatever the parsed arguments say to who looks at them [FR4]', () => {
    let asked = 0;
    const turning = {
      get path() {
        asked += 1;
        return asked === 1 ? 'shown.txt' : 'other.txt';
      },
    };
    const action = built(turning);
    expect(action.canonical).toBe('{"arguments":{"path":"shown.txt"},"tool":"write"}');
    expect(action.arguments).toEqual({ path: 'shown.txt' });
    expect(action.metadata.paths).toEqual([{ path: '/project/shown.txt', access: 'write' }]);
    const posing = built({ path: 'judged.txt', toJSON: () => ({ path: 'done.txt' }) });
    expect(posing.canonical).toContain('done.txt');
    expect(posing.arguments).toEqual({ path: 'done.txt' });
    expect(posing.metadata.paths[0]?.path).toBe('/project/done.txt');
  });

  it('drops what JSON can not carry, and refuses arguments that have no such form [FR4]', () => {
    expect(built({ path: 'a', content: undefined }).arguments).toEqual({ path: 'a' });
    expect(() => built({ path: 'a', size: 1n })).toThrow();
    expect(() => built({ toJSON: () => 'text' })).toThrow(/no JSON form/);
  });
});
