import { describe, expect, it } from 'vitest';
import { renderDocument } from './render-document.ts';

const render = (
  bytes: Uint8Array | string,
  contentType = '',
  more: { as?: 'page' | 'raw'; maxBytes?: number } = {},
) =>
  renderDocument(Buffer.from(bytes), {
    contentType,
    url: 'https://a.org/',
    as: 'page',
    maxBytes: 1_000,
    ...more,
  });

describe('a document', () => {
  it.each([
    [Buffer.from('Grüße'), 'text/plain; charset=utf-8', 'Grüße'],
    [Buffer.from('Gr\xfc\xdfe', 'latin1'), 'text/plain; charset=ISO-8859-1', 'Grüße'],
    [Buffer.from('Gr\xfc\xdfe', 'latin1'), 'text/plain', 'Grüße'],
    [Buffer.from('\ufeffGrüße', 'utf16le'), 'text/plain', 'Grüße'],
    [Buffer.from('\ufeffGrüße'), 'text/plain; charset=latin1', 'Grüße'],
    [Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]), 'text/plain; charset=Shift_JIS', 'テスト'],
    [Buffer.from('Grüße'), 'text/plain; charset=nonsense', 'Grüße'],
    [Buffer.from('<meta charset=latin1><p>Gr\xfc\xdfe', 'latin1'), 'text/html', 'Grüße'],
  ])('of %j as %s is decoded', (bytes, type, text) => {
    expect(render(bytes, type).text).toBe(text);
  });

  it.each([
    ['<p>a', 'text/html', 'page'],
    ['<p>a', 'application/xhtml+xml', 'page'],
    ['<!doctype html><p>a', '', 'page'],
    ['<p>a', 'text/plain', 'text'],
    ['{"a":1}', 'application/json', 'text'],
    ['{"a":1}', 'application/vnd.api+json; charset=utf-8', 'text'],
    ['a', '', 'text'],
    ['a', 'image/png', 'binary'],
    ['a\0b', 'text/html', 'binary'],
    ['%PDF-1.7', 'application/pdf', 'binary'],
  ])('%j as %s is %s', (text, type, kind) => {
    expect(render(text, type).kind).toBe(kind);
  });

  it('stays unchanged where the raw form is wanted, except for invisible characters', () => {
    expect(render('<p>a\u202e</p>\n', 'text/html', { as: 'raw' }).text).toBe('<p>a</p>\n');
  });

  it('is cut between characters', () => {
    expect(render('ééé', 'text/plain', { maxBytes: 5 })).toMatchObject({ text: 'éé', truncated: true });
    expect(render('<p>ééé', 'text/html', { maxBytes: 5 })).toMatchObject({ text: 'éé', truncated: true });
    expect(render('ééé', 'text/plain', { maxBytes: 6 })).toMatchObject({ text: 'ééé', truncated: false });
  });
});
