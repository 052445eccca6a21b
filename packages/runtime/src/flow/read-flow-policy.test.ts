import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flowRulesOf } from '@bulkhead/actions/flow/flow-rules-of';
import { PolicyKeeper } from '@bulkhead/actions/policy/policy-keeper';
import { readPolicy } from '@bulkhead/actions/policy/read-policy';
import { readFlowPolicy } from '@bulkhead/actions/testing';
import { EMPTY_FLOW_POLICY } from '@bulkhead/home/testing';
import { homeLayout } from '@bulkhead/protocol';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { defaultFlowPolicy, presetPolicies } from '@bulkhead/shield';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOREIGN, flowStage } from '../testing/flow-stage.ts';

const OWN = 'version: 1\ntools: [{ tool: read, effect: read, sink: none, result: { writer: external } }]\n';

let home: string;
const layout = () => homeLayout(home);
const put = (text: string, file = 'ifc.yaml') => writeFileSync(join(layout().policies, file), text);
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bulkhead-ifc-'));
  mkdirSync(layout().policies);
  put(presetPolicies.default, 'default.yaml');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('the rules of information flow of a home', () => {
  it('are the shipped ones for a home without a file, with an empty one, and with an unchanged copy', () => {
    const { flow, digest } = readFlowPolicy(layout());
    for (const text of [EMPTY_FLOW_POLICY, defaultFlowPolicy]) {
      put(text);
      expect(readFlowPolicy(layout()).flow).toEqual(flow);
    }
    expect(readFlowPolicy(layout()).digest).toBe(digest);
  });

  it('are the shipped ones with what the file changes, which is part of the digest of the policy [F3] [FT24]', () => {
    const before = readPolicy(layout(), 'default');
    put(OWN);
    const after = readPolicy(layout(), 'default');
    expect(after.flow.tools.size).toBe(before.flow.tools.size);
    expect(after.flow.tools.get('read')?.result.writer).toBe('external');
    expect(after.flow.origins.get('read')).toBe(join(layout().policies, 'ifc.yaml'));
    expect(after.digest).not.toBe(before.digest);
  });

  it('stay as they were while the file is wrong, and that is said [FT24]', () => {
    const told: string[] = [];
    const keeper = new PolicyKeeper(
      readPolicy(layout(), 'default'),
      () => readPolicy(layout(), 'default'),
      ({ what }) => told.push(what),
    );
    const before = keeper.current.flow;
    put('version: 1\ntools: [{ tool: read }]');
    keeper.reload();
    expect(keeper.current.flow).toBe(before);
    expect(keeper.problem?.message).toContain('ifc.yaml:2:');
    put(OWN);
    keeper.reload();
    expect(keeper.problem).toBeUndefined();
    expect(keeper.current.flow.tools.get('read')?.result.writer).toBe('external');
    expect(told).toEqual(['refused', 'changed']);
  });

  it('count for sessions that are under way, and take no label away [F2]', async () => {
    const shipped = readFlowPolicy(layout()).flow;
    put(OWN);
    const changed = readFlowPolicy(layout()).flow;
    let now = shipped;
    using stage = flowStage(join(home, 'flow.db'), {
      store: createMemorySessionStore(),
      replies: [
        { calls: [['read', { path: 'a.md' }]] },
        { text: 'read' },
        { calls: [['read', { path: FOREIGN }]] },
      ],
      policy: () => now,
    });
    const session = stage.sessions.create(home);
    await stage.say(session, 'Look at a.md.');
    expect(stage.flows.labelOf(session).trust).toBe('workspace');
    now = changed;
    expect(stage.flows.labelOf(session).trust).toBe('external');
    now = shipped;
    expect(stage.flows.labelOf(session).trust).toBe('external');
  });

  it('leave made-up places alone in the permissive preset, and nothing else', () => {
    expect(flowRulesOf('default')).toEqual(flowRulesOf('strict'));
    const left = flowRulesOf('default').filter((rule) => !flowRulesOf('permissive').includes(rule));
    expect(left).toEqual(['origin']);
  });
});
