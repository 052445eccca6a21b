import { expect, it } from 'vitest';
import { errorOf } from '../testing.ts';
import { readToolDefinitions } from './tool-definitions.ts';

it('guesses what tools do, suite by suite', () => {
  const parameters = { properties: { to: { type: 'string', description: 'address of the recipient' } } };
  const lines = [
    { suite: 'post', name: 'send_letter', description: 'Sends a letter.', parameters },
    { suite: 'shop', name: 'list_orders', description: 'Lists all orders.' },
  ];
  const suites = readToolDefinitions(lines.map((line) => JSON.stringify(line)).join('\n'), 'tools.jsonl');
  expect(suites.get('post')?.get('send_letter')).toMatchObject({
    effect: 'send',
    arguments: { to: 'recipient' },
  });
  expect(suites.get('shop')?.get('list_orders')).toMatchObject({ effect: 'read' });
  expect(suites.get('shop')?.has('send_letter')).toBe(false);
});

it('names the line that is no definition', () => {
  expect(errorOf(() => readToolDefinitions('{"name":"a"}\n{}', 'tools.jsonl')).message).toContain(
    'tools.jsonl:2',
  );
});
