import { expect, it } from 'vitest';
import { VirtualTerminal } from '../testing/virtual-terminal.ts';
import { drawFirstFrame } from './draw-first-frame.ts';

function frame() {
  const terminal = new VirtualTerminal(60, 14);
  const drawn = drawFirstFrame({
    terminal,
    env: { LANG: 'C.UTF-8' },
    clock: { now: () => 0, monotonic: () => 0 },
    folder: '/work/here',
    theme: undefined,
    firstVisit: false,
  });
  return { terminal, ...drawn, [Symbol.dispose]: () => drawn.screen[Symbol.dispose]() };
}

async function textOf(terminal: VirtualTerminal): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 40));
  await terminal.drawn();
  return terminal.text;
}

it('stands there with the line to type in before anything was asked of anybody [I2]', async () => {
  using one = frame();
  await one.terminal.drawn();
  expect(one.terminal.text).toContain('/work/here');
  expect(one.terminal.text).toContain('Type a task');
  expect(one.terminal.text).toContain('connecting…');
  one.first.progress = 'attacking its own sandbox';
  expect(await textOf(one.terminal)).toContain('attacking its own sandbox…');
});

it('keeps what is typed and entered, in its order [I2]', async () => {
  using one = frame();
  one.terminal.type('first\r');
  one.terminal.type('second');
  one.terminal.type('\x1b\r');
  one.terminal.type('half');
  expect(await textOf(one.terminal)).toContain('sent when the session is ready: first');
  expect(one.first.take()).toEqual([
    { text: 'first', as: 'steer' },
    { text: 'second', as: 'queue' },
  ]);
  expect(one.first.take()).toEqual([]);
  expect(one.screen.prompt.draft).toBe('half');
});

it('is left with Ctrl-C once the line is empty, and with Ctrl-D [I2]', () => {
  using one = frame();
  one.terminal.type('half\x03');
  expect(one.screen.prompt.draft).toBe('');
  expect(one.left.signal.aborted).toBe(false);
  one.terminal.type('\x03');
  expect(one.left.signal.aborted).toBe(true);
  using other = frame();
  other.terminal.type('\x04');
  expect(other.left.signal.aborted).toBe(true);
});

it('says what was wrong with a paste already then [I2]', async () => {
  using one = frame();
  one.terminal.paste('x'.repeat(1_200_000));
  expect(await textOf(one.terminal)).toContain('1.2 million characters');
});
