import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { imageType, readImages } from './read-images.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');

describe('images of a message', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-images-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function file(name: string, content: Uint8Array, size?: number): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    if (size !== undefined) truncateSync(path, size);
    return path;
  }

  it.each<[string, string | undefined]>([
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF87a', 'image/gif'],
    ['GIF89a', 'image/gif'],
    ['RIFF\x10\x00\x00\x00WEBPVP8L', 'image/webp'],
    ['RIFF\x10\x00\x00\x00WAVEfmt ', undefined],
    ['<svg xmlns=', undefined],
    ['\x89PNG', undefined],
    ['', undefined],
  ])('%j is %s', (bytes, type) => {
    expect(imageType(Buffer.from(bytes, 'latin1'))).toBe(type);
  });

  it('goes by what is in the file, not by its name', () => {
    const [image] = readImages([file('photo.jpg', PNG)], 'x');
    expect(image).toEqual({ mediaType: 'image/png', data: PNG });
    const liar = file('liar.png', Buffer.from('#!/bin/sh'));
    expect(() => readImages([liar], '')).toThrow(
      expect.objectContaining({ code: 'usage', message: `${liar} is not an image that models accept` }),
    );
  });

  it.each<[string, () => string[], string]>([
    ['a missing file', () => [join(folder, 'none.png')], 'does not exist'],
    ['a folder', () => [folder], 'is not a file'],
    ['a large image', () => [file('a.png', PNG, 5 * 1024 * 1024 + 1)], '5.0 MiB, more than 5.0 MiB'],
    ['large images', () => Array(2).fill(file('a.png', PNG, 4 * 1024 * 1024)), '8.0 MiB with its images'],
    ['many images', () => Array(21).fill(file('a.png', PNG)), '21 images are more than the 20'],
  ])('refuses %s before it is sent', (_what, paths, part) => {
    expect(() => readImages(paths(), '')).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(part) }),
    );
  });
});
