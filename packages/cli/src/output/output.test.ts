import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Output } from './output.ts';

function capture(isTTY: boolean): { output: Output; text: () => string } {
  const stream = Object.assign(new PassThrough(), { isTTY });
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return { output: new Output(stream, { NO_COLOR: '1' }), text: () => text };
}

/**
 * Sequences that control terminals: clipboard, title, cursor, resize, hyperlinks, C1 forms,
 * direction.
 */
const ATTACKS = [
  '\x1b]52;c;cm0gLXJmIC8=\x07',
  '\x1b]0;new title\x07',
  '\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\',
  '\x1b[2J\x1b[H',
  '\x1b[8;1;1t',
  '\x1b[?1049h',
  '\x1b[6n',
  '\x1bP+q544e\x1b\\',
  '\x1bc',
  '\x9b31mred',
  '\x9d52;c;aGk=\x9c',
  '\x90q\x9c',
  'safe\rhidden',
  'a\x08\x08b',
  '\x07\x00\x0e\x0f\x7f',
  'abc\u202edcba',
  '\u2066isolate\u2069\u200f',
  'line\u2028separator',
];

/** Any character that is not a printable character, a new line or a tab. */
const DANGER = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

describe('Output [FT52]', () => {
  it('makes terminal attacks inert, cut at every offset', () => {
    for (const attack of ATTACKS) {
      const whole = capture(true);
      whole.output.content(attack);
      expect(whole.text()).not.toMatch(DANGER);
      for (let cut = 0; cut <= attack.length; cut++) {
        const parts = capture(true);
        parts.output.content(attack.slice(0, cut));
        parts.output.content(attack.slice(cut));
        expect(parts.text(), `${JSON.stringify(attack)} cut at ${cut}`).toBe(whole.text());
      }
    }
  });

  it('makes any text inert, in any pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 20 })), (pieces) => {
        const { output, text } = capture(true);
        for (const piece of pieces) output.content(piece);
        expect(text()).not.toMatch(DANGER);
      }),
      { numRuns: 500 },
    );
  });

  it('shows what was made inert', () => {
    const { output, text } = capture(true);
    output.content('\x1b]0;x\x07 \u202e \x9b');
    expect(text()).toBe('\\x1b]0;x \\u{202e} \\x9b');
  });

  it('keeps ordinary text, new lines, tabs, and characters cut in half', () => {
    const { output, text } = capture(true);
    const emoji = '👩‍🚀';
    for (const half of `Grüße\n\t漢字 ${emoji}`) for (const unit of half.split('')) output.content(unit);
    expect(text()).toBe(`Grüße\n\t漢字 ${emoji}`);
  });

  it('leaves bytes as they are where no terminal is', () => {
    const { output, text } = capture(false);
    output.content(ATTACKS.join(''));
    expect(text()).toBe(ATTACKS.join(''));
  });

  it('begins a new line only where one is needed', () => {
    const { output, text } = capture(false);
    output.line('a');
    output.own('b');
    output.line('c');
    output.freshLine();
    expect(text()).toBe('a\nb\nc\n');
  });
});
