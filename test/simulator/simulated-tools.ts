import { BulkheadError, type EffectClass, type ToolDescription } from '@bulkhead/protocol';
import { createToolRegistry, type ToolRegistry } from '@bulkhead/tools';

/** Arguments of every simulated tool. */
export interface ToolArguments {
  readonly path: string;
  readonly token: string;
}

/** The file a call of `send` names: it has none. */
const NO_PATH = '';

const TOOLS: readonly {
  readonly name: string;
  readonly effect: EffectClass;
  readonly access: 'read' | 'write' | undefined;
}[] = [
  { name: 'look', effect: 'pure', access: 'read' },
  { name: 'put', effect: 'idempotent', access: 'write' },
  { name: 'add', effect: 'once', access: 'write' },
  { name: 'send', effect: 'once', access: undefined },
];

/**
 * One tool of each kind: reads a file, writes one, appends to one, has an effect that can't be
 * checked.
 */
export function simulatedTools(): ToolRegistry {
  return createToolRegistry(TOOLS.map(describe));
}

/** @throws BulkheadError `invalid_arguments` */
export function readArguments(input: unknown): ToolArguments {
  if (typeof input === 'object' && input !== null && 'token' in input && typeof input.token === 'string') {
    const path = 'path' in input && typeof input.path === 'string' ? input.path : NO_PATH;
    return { path, token: input.token };
  }
  throw new BulkheadError('invalid_arguments', 'a token is needed');
}

function describe({ name, effect, access }: (typeof TOOLS)[number]): ToolDescription {
  return {
    name,
    description: name,
    group: 'simulated',
    readOnly: effect === 'pure',
    effect,
    inputSchema: { type: 'object' },
    parse: (input) => {
      const args = readArguments(input);
      return {
        arguments: { ...args },
        effect,
        paths: access === undefined ? [] : [{ path: args.path, access }],
      };
    },
  };
}
