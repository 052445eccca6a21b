import { describe, expect, it } from 'vitest';
import { PasteGate } from './paste-gate.ts';

function gate(most = 1_000) {
  const got: string[] = [];
  const keys: string[] = [];
  const one = new PasteGate({
    most,
    onKeys: (data) => keys.push(data),
    onPaste: (text) => got.push(text),
    onTooLong: (characters) => got.push(`too long: ${characters}`),
  });
  return { got, keys, take: (data: string) => one.take(data) };
}

describe('pasted text', () => {
  const sent = 'a\x1b[200~one\rtwo\x1b[A\x1b[201~b\x1b[200~three\x1b[201~\x1b[A';

  it('comes whole and apart from keys, wherever it is cut [I2]', () => {
    const key = [2, 3].map((at) => [
      sent.indexOf('\x1b[200~') + at - 1,
      sent.lastIndexOf('\x1b[200~') + at - 1,
    ]);
    for (let at = 0; at <= sent.length; at += 1) {
      // There it may be a key and is passed on as one.
      if (key.flat().includes(at)) continue;
      const { got, keys, take } = gate();
      take(sent.slice(0, at));
      take(sent.slice(at));
      expect(got, `cut at ${at}`).toEqual(['one\rtwo\x1b[A', 'three']);
      expect(keys.join('')).toBe('ab\x1b[A');
    }
  });

  it('is given up when it is too long, with its length, and keys work after it [I2]', () => {
    const { got, keys, take } = gate(10);
    take('\x1b[200~');
    for (let at = 0; at < 1_000; at += 1) take('x'.repeat(50));
    take('\x1b[201~key\x1b[200~0123456789\x1b[201~');
    expect(got).toEqual(['too long: 50000', '0123456789']);
    expect(keys).toEqual(['key']);
  });

  it('does not keep a key back that begins like a mark [I2]', () => {
    const { keys, take } = gate();
    take('\x1b');
    take('[');
    take('\x1b[2~');
    expect(keys).toEqual(['\x1b', '[', '\x1b[2~']);
  });
});
