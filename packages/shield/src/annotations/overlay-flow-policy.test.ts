import { expect, it } from 'vitest';
import { shippedFlowPolicy } from '../testing/shipped-flow.ts';
import { overlayFlowPolicy } from './overlay-flow-policy.ts';
import { parseFlowPolicy } from './parse-flow-policy.ts';

const base = parseFlowPolicy(shippedFlowPolicy, 'shipped');
const over = (text: string) => overlayFlowPolicy(base, parseFlowPolicy(`version: 1\n${text}`, 'mine'));

it('keeps all of the base where the file says nothing', () => {
  expect(over('tools: []')).toEqual(base);
});

it('changes a tool, adds one, and says which file each is from [F3]', () => {
  const { tools, origins } = over(
    'tools: [{ tool: read, effect: fetch, result: { writer: external } }, { tool: mine, effect: send, result: { writer: service } }]',
  );
  expect(tools.size).toBe(base.tools.size + 1);
  expect(tools.get('read')?.effect).toBe('fetch');
  expect(['read', 'mine', 'write'].map((tool) => origins.get(tool))).toEqual(['mine', 'mine', 'shipped']);
});

it('asks a new rule first, and a changed one in its place', () => {
  const { rules, sources } = over(`tools: []
sources: [{ name: downloads, match: { path: ['/in/**'] }, trust: external }, { name: wiki, match: { host: [w.example] }, trust: workspace }]
rules:
  - { name: mine, secrecy: internal, sinks: [mail], when: value, decision: escalate }
  - { name: secret-leaves, secrecy: confidential, sinks: [mail], when: value, decision: block }
`);
  expect(rules.map(({ name }) => name)).toEqual(['mine', ...base.rules.map(({ name }) => name)]);
  expect(rules.find(({ name }) => name === 'secret-leaves')?.secrecy).toBe('confidential');
  expect(sources.map(({ name }) => name)).toEqual(['wiki', ...base.sources.map(({ name }) => name)]);
});
