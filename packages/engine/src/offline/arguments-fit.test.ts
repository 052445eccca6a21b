import { expect, it } from 'vitest';
import { argumentsFit } from './shield.ts';

it.each([
  ['bash', { command: 'ls' }, 'fits'],
  ['bash', { command: 'ls', sudo: true }, 'refused'],
  ['bash', {}, 'refused'],
  ['write', { path: 'a', content: 7 }, 'refused'],
  ['http_request', { url: 'ftp://x/', method: 'GET' }, 'refused'],
  ['process_list', {}, 'fits'],
  ['memory_write', { text: 'a' }, 'fits'],
  ['memory_write', { text: 'a', file: 'soul' }, 'refused'],
  ['result_open', { id: 'a' }, 'fits'],
  ['send_letter', { to: 'a' }, 'unknown-tool'],
])('says what %s makes of %j: %s [H7]', (tool, args, fit) => {
  expect(argumentsFit(tool, args)).toBe(fit);
});
