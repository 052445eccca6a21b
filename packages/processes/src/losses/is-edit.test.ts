import { describe, expect, it } from 'vitest';
import { isEdit } from './is-edit.ts';

const NOTES = Array.from(
  { length: 40 },
  (_, at) => `On day ${at} the harbour was calm and boat${at} left before noon with cargo${at * 7}.`,
).join('\n');
const OTHER = Array.from(
  { length: 40 },
  (_, at) => `Recipe ${at} needs flour, ${at} eggs and some salt; bake it until the top${at} is brown.`,
).join('\n');

const isEdited = (before: string, after: string, encoding: BufferEncoding = 'utf8') =>
  isEdit(Buffer.from(before, encoding), Buffer.from(after, encoding));

describe('an edit of a content [FG6] [B2]', () => {
  it.each([
    ['a word replaced', NOTES.replaceAll('harbour', 'port')],
    ['some lines more and fewer', `first\n${NOTES.split('\n').slice(9).join('\n')}`],
    ['laid out anew', NOTES.replaceAll(' ', '\n   ')],
    ['lines sorted', NOTES.split('\n').toSorted().join('\n')],
  ])('is: %s', (_, after) => {
    expect(isEdited(NOTES, after)).toBe(true);
  });

  it.each([
    ['its words sorted', NOTES.split(/\s+/).toSorted().join('\n')],
    ['its words in reverse', NOTES.split(/\s+/).toReversed().join(' ')],
    ['another text', OTHER],
    ['nothing', ''],
  ])('is not: %s', (_, after) => {
    expect(isEdited(NOTES, after)).toBe(false);
  });

  it('is not another text in UTF-16, in which all texts have the same letters', () => {
    expect(isEdited(NOTES, OTHER, 'utf16le')).toBe(false);
    expect(isEdited(NOTES, NOTES.split(/\s+/).toSorted().join(' '), 'utf16le')).toBe(false);
    expect(isEdited(NOTES, NOTES.replaceAll('noon', 'dawn'), 'utf16le')).toBe(true);
  });

  it('is not kept by zeros that two files of bytes share', () => {
    const bytes = (fill: number) => Buffer.concat([Buffer.alloc(4_096), Buffer.alloc(512, fill)]);
    expect(isEdit(bytes(1), bytes(2))).toBe(false);
    expect(isEdit(bytes(1), Buffer.concat([bytes(1), Buffer.from('more')]))).toBe(true);
  });
});
