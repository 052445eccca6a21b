import { describe, expect, it } from 'vitest';
import { inferAnnotations } from './infer-annotations.ts';

function infer(name: string, description: string, properties: Readonly<Record<string, unknown>> = {}) {
  const annotation = inferAnnotations([
    { name, description, inputSchema: { type: 'object', properties } },
  ]).get(name);
  if (annotation === undefined) throw new Error('not inferred');
  return annotation;
}

const text = { type: 'string' };

describe('annotations from definitions', () => {
  it('tell effects and roles by common words', () => {
    expect(
      infer('sendInvoice', 'Mails an invoice.', {
        customer_email: text,
        total: { type: 'number' },
        body: text,
      }),
    ).toMatchObject({
      effect: 'pay',
      sink: 'mcp',
      arguments: { customer_email: 'recipient', total: 'amount', body: 'content' },
    });
    expect(
      infer('remove-ticket', 'Removes a ticket.', { ticket_id: text, force: { type: 'boolean' } }),
    ).toMatchObject({
      effect: 'delete',
      arguments: { ticket_id: 'object', force: 'plain' },
    });
    expect(infer('fetch_page', 'Reads a page.', { url: text })).toMatchObject({
      effect: 'fetch',
      arguments: { url: 'url' },
    });
    expect(infer('update_profile', 'Changes the profile.', { nickname: text })).toMatchObject({
      effect: 'account',
      arguments: { nickname: 'credential' },
    });
  });

  it('believe that anybody wrote what nothing tells of', () => {
    expect(infer('get_tickets', 'Returns tickets.').result).toMatchObject({
      writer: 'external',
      fields: { id: { writer: 'service', as: 'identity' }, from: { writer: 'external', as: 'identity' } },
    });
    expect(infer('frobnicate', 'Does it.')).toMatchObject({ effect: 'change', sink: 'mcp' });
  });

  it('survive a definition without a schema', () => {
    expect(inferAnnotations([{ name: 'x', description: '', inputSchema: {} }]).size).toBe(1);
  });
});
