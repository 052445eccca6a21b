import type { ToolRow, ToolServiceParts } from '@bulkhead/actions/testing';
import { shippedFlow } from '@bulkhead/actions/testing';
import { ToolService } from '@bulkhead/actions/tool-list/tool-service';
import { type Policy, parsePolicy, presetPolicies } from '@bulkhead/shield';
import { everyGroup, everyTool } from '@bulkhead/tools';
import { describe, expect, it } from 'vitest';
import { engineTools, toolsOff } from '../composition/engine-tools.ts';

const FLOW = shippedFlow();

/** Lists as flow sequences of YAML. */
function policyOf({ deny = '[]', allow = '[]' }: { readonly deny?: string; readonly allow?: string }) {
  return parsePolicy(
    `version: 1\nname: own\nrules: { deny: ${deny}, verify: [], allow: ${allow} }\n`,
    'own.yaml',
  );
}

function rowsOf(parts: Partial<ToolServiceParts> & { readonly rules?: Policy }) {
  const { rules = parsePolicy(presetPolicies.default, 'default.yaml') } = parts;
  const service = new ToolService({
    tools: everyTool,
    groups: everyGroup,
    off: new Map(),
    initialGroups: ['files', 'shell'],
    policy: () => ({ ...rules, flow: FLOW }),
    commandsAsk: undefined,
    ...parts,
  });
  return new Map(service.list().tools.map((row): [string, ToolRow] => [row.name, row]));
}

describe('the list of tools', () => {
  it('has every tool there is, and says in words what each does [I2] [I3]', () => {
    const rows = rowsOf({});
    expect([...rows.keys()]).toEqual(everyTool.map(({ name }) => name));
    for (const { effect, wayOut, writtenBy } of rows.values())
      expect([effect, wayOut, writtenBy].join()).not.toContain('nobody');
    expect(rows.get('bash')).toMatchObject({ fromStart: true, effect: 'runs a command or code' });
    expect(rows.get('web_fetch')).toMatchObject({
      fromStart: false,
      groupAbout: 'read web pages, call web services',
      wayOut: 'can reach the internet',
      writtenBy: 'anybody',
    });
  });

  it('says which are not offered, as the engine leaves them out, and how to have them [I3]', () => {
    const off = { memory: { enabled: false } } as Parameters<typeof toolsOff>[0];
    const offered = engineTools(off);
    for (const row of rowsOf({ off: toolsOff(off) }).values()) {
      expect(row.offered).toBe(offered.get(row.name) !== undefined);
      expect(row.notOffered === '').toBe(row.offered);
    }
    expect(rowsOf({ off: toolsOff(off) }).get('memory_write')?.notOffered).toContain('memory.enabled');
  });

  it('shows the worst case of a tool without a description', () => {
    const row = rowsOf({
      policy: () => ({ ...policyOf({}), flow: { tools: new Map() } }),
    }).get('read');
    expect(row?.effect).toContain('effect unknown');
    expect(row?.treatment).toBe('always: a person is asked: the tool has no description');
  });
});

describe('how policy treats a tool in general', () => {
  it('gives the rules that its calls can match, and what becomes of the others', () => {
    const rows = rowsOf({});
    expect(rows.get('read')?.rules).toEqual([
      {
        name: 'read-in-working-folder',
        does: 'allowed if the analysis agrees',
        reason: 'reads inside the working folder',
        everyCall: false,
      },
    ]);
    expect(rows.get('read')?.treatment).toMatch(/^otherwise: judged by the effects/);
    expect(rows.get('web_fetch')).toMatchObject({
      rules: [],
      treatment: expect.stringMatching(/^always: judged/),
    });
    expect(rows.get('bash')?.rules.map(({ name, everyCall }) => [name, everyCall])).toEqual([
      ['command-with-network', false],
      ['boxed-command', true],
    ]);
    expect(rows.get('bash')?.treatment).toMatch(/^otherwise: allowed if the analysis agrees/);
  });

  it('leaves out rules about what no call of the tool has, and all after one that settles every call', () => {
    const rules = policyOf({
      deny: `[
        { name: no-web, match: { group: web }, reason: nope },
        { name: no-mail, match: { recipient: '*@example.org' }, reason: nope },
        { name: no-host, match: { host: '*' }, reason: nope },
        { name: no-rm, match: { command: 'rm *' }, reason: nope },
        { name: no-etc, match: { path: '/etc/**' }, reason: nope } ]`,
      allow: '[{ name: web, match: { tool: web_fetch }, minTier: 0, reason: fine }]',
    });
    const rows = rowsOf({ rules });
    const named = (tool: string) => rows.get(tool)?.rules.map(({ name }) => name);
    expect(named('web_fetch')).toEqual(['no-web']);
    expect(rows.get('web_fetch')?.treatment).toBe('always: refused (no-web: nope)');
    expect(named('read')).toEqual(['no-etc']);
    expect(named('bash')).toEqual(['no-host', 'no-rm', 'no-etc']);
    expect(named('process_list')).toEqual([]);
  });

  it('puts what a machine without a box asks above what policy allows, not above what it refuses', () => {
    const rules = policyOf({
      deny: `[{ name: no-rm, match: { command: 'rm *' }, reason: nope }]`,
      allow: '[{ name: all, match: { tool: bash }, minTier: 0, reason: fine }]',
    });
    const rows = rowsOf({ rules, commandsAsk: 'no box can be made' });
    expect(rows.get('bash')?.rules.map(({ name }) => name)).toEqual(['no-rm', 'commands']);
    expect(rows.get('bash')?.treatment).toBe('always: a person is asked (no box can be made)');
    expect(rows.get('read')?.treatment).not.toContain('no box');
  });
});
