import { expect, it } from 'vitest';
import { imageName } from '../prompt/prompt.ts';
import { attachedImages } from './messages.ts';

const paths = (text: string) => attachedImages(text, '/work', '/home/ann');

it('finds the images a message names, each once [I2]', () => {
  expect(paths('see @a.png and @sub/b.JPG, then @a.png')).toEqual(['/work/a.png', '/work/sub/b.JPG']);
  expect(paths('@"my shot.png" @~/x.webp @/tmp/y.gif')).toEqual([
    '/work/my shot.png',
    '/home/ann/x.webp',
    '/tmp/y.gif',
  ]);
  expect(paths('mail a@b.png, @notes.txt, @"not closed.png')).toEqual([]);
});

it.each([
  ['/tmp/shot.png', '@/tmp/shot.png '],
  ["'/tmp/my shot.png'", '@"/tmp/my shot.png" '],
  ['/tmp/my\\ shot\\ \\(1\\).jpeg', '@"/tmp/my shot (1).jpeg" '],
  ['file:///tmp/my%20shot.png', '@"/tmp/my shot.png" '],
  ['~/x.webp\n', '@~/x.webp '],
])('takes the pasted path %s as an image [I2]', (pasted, name) => {
  expect(imageName(pasted)).toBe(name);
  expect(paths(`look at ${name}`)).toHaveLength(1);
});

it.each([
  ['see /tmp/shot.png'],
  ['/tmp/notes.txt'],
  ['shot.png'],
  ['/tmp/a.png\n/tmp/b.png'],
  ['file:///%zz.png'],
])('leaves %j as it is [I2]', (pasted) => expect(imageName(pasted)).toBeUndefined());
