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

const pathsOf = (path: string) =>
  buildAction(
    {
      sessionId: 's',
      runId: 'r',
      callId: 'c',
      tool: 'write',
      loaded: true,
      argumentsJson: '',
      workingFolder: '/work',
    },
    tool,
    { path },
    { id: 'a', time: 0 },
  ).metadata.paths;

describe('the paths of an action', () => {
  it.each(['src/a.ts', './src//a.ts', '/work/src/a.ts', '/work/./src/a.ts'])(
    'are where they lead, and no more where the name says the same: %s',
    (path) => {
      expect(pathsOf(path)).toEqual([{ path: '/work/src/a.ts', access: 'write' }]);
    },
  );

  it.each(['.vscode/../src/a.ts', 'src/../src/a.ts', '/work/.vscode/../src/a.ts'])(
    'keep the name that says something else, so that it is judged too: %s [FT14]',
    (named) => {
      expect(pathsOf(named)).toEqual([{ path: '/work/src/a.ts', named, access: 'write' }]);
    },
  );
});
