import type { ToolAnnotation } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { shippedFlowPolicy } from '../testing/shipped-flow.ts';
import { annotationOfCall } from './annotation-of-call.ts';
import { parseFlowPolicy } from './parse-flow-policy.ts';

const { tools } = parseFlowPolicy(shippedFlowPolicy, 'ifc.yaml');
const of = (tool: string, args: Readonly<Record<string, unknown>>) =>
  annotationOfCall(tools, { tool, arguments: args });

describe('a tool of the program that started the run', () => {
  it('is judged by its name and the names of its arguments, and gives what anybody can have written [I4]', () => {
    expect(of('client_get_weather', { city: 'Oslo' })).toEqual({
      tool: 'client_get_weather',
      effect: 'read',
      sink: 'mcp',
      arguments: { city: 'query' },
      result: { writer: 'external' },
    });
    expect(of('client_sendInvoice', { email: 'a@b.example', total: 3, urgent: true })).toMatchObject({
      effect: 'pay',
      arguments: { email: 'recipient', total: 'amount', urgent: 'plain' },
      result: { writer: 'external' },
    });
    expect(of('client_frobnicate', {})?.effect).toBe('change');
  });

  it('names no file of this machine, so that it labels none [I4]', () => {
    const roles = of('client_write_file', { path: '/etc/passwd', content: 'x' })?.arguments;
    expect(roles).toEqual({ path: 'object', content: 'content' });
    expect(of('client_delete_file', { path: 'a' })?.arguments).toEqual({ path: 'object' });
  });

  it('is as its owner described it, where they did', () => {
    const own: ToolAnnotation = {
      tool: 'client_x',
      effect: 'pay',
      sink: 'mail',
      arguments: {},
      result: { writer: 'user' },
    };
    const described = new Map([[own.tool, own]]);
    expect(annotationOfCall(described, { tool: 'client_x', arguments: { a: 1 } })).toBe(own);
  });

  it('is no way around what is known of other tools', () => {
    expect(of('email_send', {})).toBe(tools.get('email_send'));
    expect(of('frobnicate', {})).toBeUndefined();
    expect(of('clients_get', {})).toBeUndefined();
  });
});
