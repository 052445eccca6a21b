import { describe, expect, it } from 'vitest';
import { shippedFlowPolicy } from '../testing/shipped-flow.ts';
import { errorOf } from '../testing.ts';
import { flowPolicyJsonSchema } from './flow-policy-schema.ts';
import { parseFlowPolicy } from './parse-flow-policy.ts';

const TOOL = '{ tool: a, effect: send, arguments: { to: recipient }, result: { writer: service } }';

/** The names of the product's contract; each additional name needs a line here. */
const CONTRACT = `read write edit ls find grep bash move copy delete mkdir
git_status git_diff git_log git_commit git_push git_pull git_branch git_checkout git_clone
web_search web_fetch http_request browser_navigate browser_extract browser_click browser_type browser_screenshot
email_send email_list email_read email_search email_move email_mark
calendar_list calendar_create calendar_update calendar_delete memory_search memory_write
schedule_create schedule_list schedule_delete canvas_create canvas_update canvas_project
image_generate image_edit video_generate
agent_create agent_status agent_result agent_message agent_list agent_delete spawn subagent
message clipboard_read clipboard_write open notify system_info screenshot
archive_create archive_extract pdf_read sheet_read sheet_write i2c spi desktop_state desktop_act
load_tools load_skills result_open`.split(/\s+/u);

describe('the file that comes with the product', () => {
  const policy = parseFlowPolicy(shippedFlowPolicy, 'ifc.yaml');

  it('is the same whether it was prepared or is read', () => {
    expect(policy).toEqual(parseFlowPolicy(`${shippedFlowPolicy}# changed by a person\n`, 'ifc.yaml'));
  });

  it('knows every tool of the contract', () => {
    expect(CONTRACT.filter((tool) => !policy.tools.has(tool))).toEqual([]);
  });

  it('has a way out for every tool with a recipient or an address', () => {
    const open = [...policy.tools.values()].filter(
      ({ sink, arguments: roles }) =>
        sink === 'none' && Object.values(roles).some((role) => ['recipient', 'url', 'host'].includes(role)),
    );
    expect(open).toEqual([]);
  });

  it('keeps keys and credentials from every way out [F1]', () => {
    const sinks = ['network', 'mail', 'message', 'browser', 'git', 'mcp', 'shell', 'agent'] as const;
    for (const sink of sinks) {
      const rule = policy.rules.find(
        ({ secrecy, when, sinks: all }) => secrecy === 'restricted' && when === 'value' && all.includes(sink),
      );
      expect(rule?.decision, sink).toBe('block');
    }
    expect(policy.rules.find(({ sinks: all }) => all.includes('model'))?.secrecy).toBe('critical');
  });
});

describe('an ifc.yaml', () => {
  it('reads tools, scopes, sources and rules', () => {
    const policy = parseFlowPolicy(
      `version: 1
tools: [${TOOL}]
scopes: [{ scope: s, tools: [${TOOL}] }]
sources: [{ name: wiki, match: { host: ['*.corp.example'], tool: [a] }, trust: workspace, secrecy: confidential }]
rules: [{ name: r, secrecy: confidential, sinks: [mail], when: value, decision: escalate }]
`,
      'ifc.yaml',
    );
    expect(policy.mode).toBe('enforce');
    expect(policy.tools.get('a')).toEqual({
      tool: 'a',
      effect: 'send',
      sink: 'mcp',
      arguments: { to: 'recipient' },
      result: { writer: 'service' },
    });
    expect(policy.scopes.get('s')?.has('a')).toBe(true);
    expect(policy.sources[0]?.match.host).toEqual(['*.corp.example']);
    expect(policy.rules[0]?.decision).toBe('escalate');
  });

  it.each([
    ['an unknown key', `version: 1\ntools: []\nrule: []`, 'unknown key "rule"'],
    ['a file cut short', 'version: 1', 'tools'],
    ['another version', 'version: 2\ntools: []', 'expected 1'],
    ['a tool twice', `version: 1\ntools: [${TOOL}, ${TOOL}]`, 'the tool "a" is there twice'],
    ['an unknown role', `version: 1\ntools: [${TOOL.replace('recipient', 'receiver')}]`, 'expected one of'],
    [
      'a tool without who writes its result',
      `version: 1\ntools: [{ tool: a, effect: send, result: {} }]`,
      'expected one of',
    ],
    [
      'a source that matches all',
      `version: 1\ntools: []\nsources: [{ name: x, match: {}, trust: user }]`,
      'is empty',
    ],
    [
      'a pattern that is none',
      `version: 1\ntools: []\nsources: [{ name: x, match: { path: ['***'] }, trust: user }]`,
      'two stars',
    ],
  ])('refuses %s', (_, text, what) => {
    const error = errorOf(() => parseFlowPolicy(text, 'ifc.yaml'));
    expect(error.code).toBe('config_invalid');
    expect(error.message).toContain(what);
    expect(error.message).toMatch(/^ifc\.yaml:\d+:\d+: /u);
  });

  it('has a JSON Schema for editors', () => {
    const schema = flowPolicyJsonSchema();
    expect(schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['version', 'tools'],
    });
  });
});
