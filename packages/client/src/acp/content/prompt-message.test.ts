import { expect, it } from 'vitest';
import { promptMessage } from './prompt-message.ts';

const PIXEL = Buffer.from('a picture');

it('takes words, names of places and images of the kinds that models take', () => {
  expect(
    promptMessage([
      { type: 'text', text: 'see' },
      { type: 'resource_link', name: 'a', uri: 'file:///project/a%20b.txt' },
      { type: 'image', data: PIXEL.toString('base64'), mimeType: 'image/png' },
    ]),
  ).toEqual({ text: 'see /project/a b.txt', images: [{ mediaType: 'image/png', data: PIXEL }] });
});

it.each([
  ['an empty prompt', [{ type: 'text', text: ' ' } as const], 'the prompt is empty'],
  [
    'an image without bytes',
    [{ type: 'image', data: '', mimeType: 'image/png' } as const],
    'is empty, or is not base64',
  ],
  [
    'an image of another kind',
    [{ type: 'image', data: 'aaaa', mimeType: 'image/svg+xml' } as const],
    'not image/svg+xml',
  ],
  ['sound', [{ type: 'audio', data: 'aaaa', mimeType: 'audio/wav' } as const], 'sound'],
])('refuses %s', (_what, prompt, words) => {
  expect(() => promptMessage(prompt)).toThrow(words);
});
