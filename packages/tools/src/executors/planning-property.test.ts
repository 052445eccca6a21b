import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolBench } from '../testing/tool-bench.ts';
import { fileHashes, treeState } from '../testing/tree-state.ts';

const name = fc.constantFrom('a', 'b', 'd', 'e', 'link', 'up', 'new', '..', '.', '.env', 'out');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const text = fc.oneof(
  fc.constantFrom('', 'x', 'xy', 'x\n', 'x\r\ny\r\n', 'one\ntwo\nthree\n', 'é\u0000', '\uFEFFx'),
  fc.string({ unit: fc.constantFrom('x', 'y', '\n', '\r\n'), maxLength: 12 }),
);

const call = fc.oneof(
  fc.record({ tool: fc.constant('write'), args: fc.record({ path, content: text }) }),
  fc.record({ tool: fc.constant('edit'), args: fc.record({ path, old_text: text, new_text: text }) }),
  fc.record({ tool: fc.constant('read'), args: fc.record({ path }) }),
);
const tree = fc.record({ a: text, b: text, e: text });

function benchOf(contents: typeof tree extends fc.Arbitrary<infer T> ? T : never): ToolBench {
  const bench = new ToolBench();
  mkdirSync(bench.at('d'));
  writeFileSync(bench.at('a'), contents.a);
  writeFileSync(bench.at('b'), Buffer.concat([Buffer.from([0xff]), Buffer.from(contents.b)]));
  writeFileSync(bench.at('d', 'e'), contents.e);
  symlinkSync('d', bench.at('link'));
  symlinkSync('../new/a', bench.at('d', 'up'));
  symlinkSync(bench.outside, bench.at('out'));
  return bench;
}

/** Where two trees' files differ: hash before and after, null for none. */
function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths
    .map((each) => ({ before: before.get(each) ?? null, after: after.get(each) ?? null }))
    .filter((one) => one.before !== one.after);
}

/** Plans a call, runs it and compares. Returns the number of planned changes. */
async function planAndAct(bench: ToolBench, tool: string, args: { readonly path: string }): Promise<number> {
  const still = [treeState(bench.root), treeState(bench.outside)];
  const before = fileHashes(bench.root);
  const stateBefore = await bench.inspect(args.path);
  const plan = await bench.plan(tool, args);
  expect([treeState(bench.root), treeState(bench.outside)]).toEqual(still);
  const result = await bench.run(tool, args);
  expect(plan.isError).toBe(result.isError);
  if (plan.isError) expect(plan.text).toBe(result.text);
  const [change] = plan.changes;
  const differing = differences(before, fileHashes(bench.root));
  if (change === undefined) {
    expect(differing).toEqual([]);
    return 0;
  }
  const expected = { before: change.before, after: change.after };
  expect(differing).toEqual(expected.before === expected.after ? [] : [expected]);
  expect([stateBefore, await bench.inspect(args.path)]).toEqual([change.before, change.after]);
  return 1;
}

describe('plan and act, whatever the files and calls', () => {
  it('the plan changes nothing, and the act changes what the plan says [A5] [T8]', async () => {
    let planned = 0;
    await fc.assert(
      fc.asyncProperty(tree, fc.array(call, { minLength: 1, maxLength: 6 }), async (contents, calls) => {
        using bench = benchOf(contents);
        for (const { tool, args } of calls) planned += await planAndAct(bench, tool, args);
      }),
      { numRuns: 150 },
    );
    expect(planned).toBeGreaterThan(20);
  });
});
