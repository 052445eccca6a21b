import { writeFileSync } from 'node:fs';
import { hostsByTool } from '@bulkhead/actions/create-actions';
import { shippedFlow } from '@bulkhead/actions/flow/read-flow-policy';
import { noLabels, pipelineStage } from '@bulkhead/actions/testing';
import type { ToolHost } from '@bulkhead/protocol';
import {
  createFlow,
  createLabelStore,
  createShield,
  notPresent,
  parsePolicy,
  presetPolicies,
} from '@bulkhead/shield';
import { createAnalysis, createCommandReadings } from '@bulkhead/shield/analysis';
import { ToolBench, testCall } from '@bulkhead/tools/testing';
import { engineTools } from './engine-tools.ts';

/*
 * Run by a test in a copy of the product with one additional tool. A call of it goes through the
 * shipped lists of tools and hosts, policy, analysis, information flow and worker code. Argument: a
 * JSON list of tools with arguments
 */
const calls: readonly (readonly [string, object])[] = JSON.parse(process.argv[2] ?? '[]');
const home = '/home/ada';
using bench = new ToolBench();
writeFileSync(bench.at('notes.txt'), 'one two three four');

const registry = engineTools({ memory: { enabled: true, sessions: true, review: 'ask' } });
const elsewhere: ToolHost = {
  execute: () => Promise.reject(new Error('another host was asked')),
  plan: () => Promise.reject(new Error('another host was asked')),
  inspect: async () => [],
};
const workers: ToolHost = {
  ...elsewhere,
  execute: (call) => bench.run(call.tool, JSON.parse(call.canonicalArguments)),
  plan: (call) => bench.plan(call.tool, JSON.parse(call.canonicalArguments)),
};
const [shell, web, processes, results, memory] = Array(5).fill(elsewhere);
const hostOf = hostsByTool(registry, { shell, web, processes, results, memory }, workers);

const flow = shippedFlow();
const session = createFlow(flow.tools, flow, {
  files: createLabelStore(),
  stores: createLabelStore(),
}).open();
const flowDecisions: string[] = [];
const policy = parsePolicy(presetPolicies.default, 'default');
const readings = createCommandReadings(home);
const stage = pipelineStage(
  {
    tools: { get: (name) => registry.get(name), names: () => [] },
    hostOf,
    shield: createShield({
      policy: () => policy,
      analysis: createAnalysis({ annotations: flow.tools, preset: 'default', home, readings }),
      evaluator: notPresent('model evaluator'),
    }),
    labels: {
      ...noLabels,
      decide: (action) => {
        flowDecisions.push(session.decide(action).decision);
        return { says: 'allow' };
      },
    },
  },
  undefined,
  bench.root,
);
const seen = await Promise.all(
  calls.map(async ([tool, args]) => {
    const { result, completed, refused } = await stage.run(JSON.stringify(args), 'deny', tool);
    const plan = await hostOf(tool).plan(testCall(tool, args), new AbortController().signal);
    return { result, refused, completed, plan, card: registry.get(tool)?.card };
  }),
);
const verdicts = stage.events.filter(({ type }) => type === 'shield_verdict');
process.stdout.write(JSON.stringify({ seen, flowDecisions, verdicts }));
