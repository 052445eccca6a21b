import { describe, expect, it } from 'vitest';
import { buildAction } from './canonical-action.ts';

const built = (args: Readonly<Record<string, unknown>>, path = 'a') =>
  buildAction(
    { sessionId: 's', runId: 'r', callId: 'c', tool: 'write', workingFolder: '/project' },
    { name: 'write', group: 'files' },
    { arguments: args, effect: 'idempotent', paths: [{ path, access: 'write' }] },
    { id: 'a', time: 0 },
  );
const pathsOf = (path: string) => built({ path }, path).metadata.paths;

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

describe('the judged action', () => {
  it('is what the bytes say: arguments that may say something else later are refused [FR4]', () => {
    let asked = 0;
    const turning = {
      get path() {
        asked += 1;
        return asked === 1 ? 'shown.txt' : 'other.txt';
      },
    };
    for (const args of [
      turning,
      { path: 'judged.txt', toJSON: () => ({ path: 'done.txt' }) },
      { path: new Date(0) },
      { path: 'a', content: undefined },
      { path: 'a', list: [undefined] },
      { path: 'a', size: Number.NaN },
      { path: 'a', size: 1n },
      { toJSON: () => 'text' },
    ]) {
      expect(() => built(args)).toThrow();
    }
  });

  it('can not change afterwards, and keeps the order in which the tool names its arguments [FR4]', () => {
    const args = { path: 'a', content: { deep: ['x', -0] } };
    const action = built(args);
    expect(action.canonical).toBe('{"arguments":{"content":{"deep":["x",0]},"path":"a"},"tool":"write"}');
    expect(Object.keys(action.arguments)).toEqual(['path', 'content']);
    expect(action.parsed.arguments).toBe(args);
    for (const frozen of [action, action.arguments, action.parsed, args, args.content, args.content.deep]) {
      expect(Object.isFrozen(frozen)).toBe(true);
    }
  });
});
