import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Screen } from './screen.ts';

function screen() {
  let text = '';
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const line = { erase: () => output.write('<'), draw: () => output.write('>') };
  return { screen: new Screen(output, line), output, text: () => text };
}

describe('Screen', () => {
  it('writes through while the bottom line is not in use', () => {
    const { screen: to, text } = screen();
    to.stream.write('a');
    to.stream.write('b\nc');
    expect(text()).toBe('ab\nc');
  });

  it('writes whole lines above the line in use, and the rest when it is gone', () => {
    const { screen: to, text } = screen();
    to.open();
    to.stream.write('one\ntw');
    to.stream.write('o');
    expect(text()).toBe('<one\n>');
    to.stream.write('!\nthr');
    expect(text()).toBe('<one\n><two!\n>');
    to.close();
    to.stream.write('ee\n');
    expect(text()).toBe('<one\n><two!\n>three\n');
  });

  it('gives the line in use a line of its own, without an empty one after it', () => {
    const { screen: to, text } = screen();
    to.stream.write('half');
    to.open();
    to.open();
    to.close();
    to.stream.write('\n');
    to.stream.write('next\n');
    expect(text()).toBe('half\nnext\n');
  });

  it('tells its writer when nobody reads any more', async () => {
    const { screen: to, output } = screen();
    const failed = new Promise((resolve) => to.stream.once('error', resolve));
    output.destroy(new Error('EPIPE'));
    expect(await failed).toMatchObject({ message: 'EPIPE' });
    expect(to.stream).toMatchObject({ isTTY: true, columns: 80 });
  });
});
