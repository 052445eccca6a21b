/** One process entry of the system. */
export interface Entry {
  /** Name of the file in `dist`, without its ending. */
  readonly name:
    | 'cli'
    | 'supervisor'
    | 'engine'
    | 'agent'
    | 'worker'
    | 'renderer'
    | 'memory'
    | 'tokens'
    | 'acp'
    | 'sdk';
  /** Path of the source in the checkout. */
  readonly source: string;
  /**
   * Whether dynamic imports stay in separate files, loaded on demand. The boxes of agent, worker
   * and renderer grant exactly one file, so theirs must not.
   */
  readonly split: boolean;
  /**
   * Size limit of the code read at every start (the entry and what it imports statically), in
   * bytes.
   */
  readonly budget: number;
}

export const entries: readonly Entry[] = [
  { name: 'cli', source: 'packages/cli/src/main.ts', split: true, budget: 200_000 },
  { name: 'acp', source: 'packages/client/src/acp/index.ts', split: true, budget: 900_000 },
  { name: 'sdk', source: 'packages/sdk/src/index.ts', split: true, budget: 600_000 },
  { name: 'supervisor', source: 'packages/engine/src/supervisor/main.ts', split: true, budget: 100_000 },
  { name: 'engine', source: 'packages/engine/src/main.ts', split: true, budget: 2_200_000 },
  { name: 'agent', source: 'packages/agent/src/main.ts', split: false, budget: 400_000 },
  { name: 'worker', source: 'packages/tools/src/worker/main.ts', split: false, budget: 1_000_000 },
  { name: 'tokens', source: 'packages/models/src/tokens/main.ts', split: false, budget: 3_600_000 },
  { name: 'renderer', source: 'packages/tools/src/web/main.ts', split: false, budget: 500_000 },
  { name: 'memory', source: 'packages/memory/src/thread/main.ts', split: true, budget: 200_000 },
];

/**
 * Name of an entry's file. A boxed program ends in `.mjs`: for `.js` Node would look for a
 * `package.json` up to the root, which the box refuses.
 */
export function fileOf(entry: Entry): string {
  return `${entry.name}${entry.split ? '.js' : '.mjs'}`;
}
