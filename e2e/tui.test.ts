import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { openChat, READY } from './support/open-chat.ts';
import { KEY } from './support/terminal-process.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';

const stage = useSharedStage();

/** Time that a person needs to read a question before it takes an answer, milliseconds. */
const READ_MS = 700;

const open = (...given: Parameters<typeof openChat> extends [unknown, ...infer Rest] ? Rest : never) =>
  openChat(stage(), ...given);

/** A file that no policy lets a model write without asking. */
const ASKS = { name: 'write', args: { path: '.vscode/settings.json', content: '{"a":1}' } };

const pause = (ms: number) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  return promise;
};

it('draws at once, sends a message, shows its answer, a card and its verdict, and leaves with two Ctrl-C [I2]', {
  timeout: 270_000,
}, async () => {
  expect(homedir()).not.toBe(stage().userHome);
  await stage().model(({ bodyText }) => {
    if (bodyText.includes('"role":"tool"')) return { text: ['It said **', 'hello**.'] };
    if (bodyText.includes('run it')) {
      return { toolCalls: [{ name: 'bash', args: { command: 'echo hello from the box' } }] };
    }
    return { text: 'good day' };
  });
  await stage().withEngine();
  await using terminal = open();
  await terminal.shows(READY);
  expect(terminal.text).toContain('openai-compatible/m');
  terminal.type(`hi${KEY.enter}`);
  await terminal.shows('good day');
  terminal.type(`run it${KEY.enter}`);
  await terminal.shows('It said hello.');
  const { everything } = terminal;
  expect(everything).toContain('› run it');
  expect(everything).toContain('✓ bash echo hello from the box');
  expect(everything).toMatch(/allowed by \S+/);
  expect(everything).toContain('│ hello from the box');
  await terminal.gone('Esc interrupts');
  terminal.type(KEY.ctrlC);
  await terminal.shows('press Ctrl-C again to exit');
  terminal.type(KEY.ctrlC);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.everything).toMatch(/continue with: bulkhead chat --session \w+/);
});

it('asks about an action with Deny as the answer of Enter, and does it after approval [I2] [A6]', {
  timeout: 270_000,
}, async () => {
  await stage().model(({ bodyText }) => {
    if (bodyText.includes('"role":"tool"') && !bodyText.includes('once more')) return { text: 'I left it.' };
    return bodyText.includes('once more') && bodyText.split('"role":"tool"').length > 2
      ? { text: 'It is there.' }
      : { toolCalls: [ASKS] };
  });
  await stage().withEngine();
  await using terminal = open();
  await terminal.shows(READY);
  terminal.type(`set it up${KEY.enter}`);
  await terminal.shows('Allow this write?');
  await terminal.shows(/› \d n Deny/);
  expect(terminal.text).toContain('content: {"a":1}');
  await pause(READ_MS);
  terminal.type(KEY.enter);
  await terminal.shows('I left it.');
  expect(terminal.everything).toContain('not allowed: you denied it');
  await expect(async () => stage().read('.vscode/settings.json')).rejects.toThrow();
  terminal.type(`once more${KEY.enter}`);
  await terminal.shows('Allow once');
  // A key before the question was there long enough to be read is not taken.
  await until('the key is taken', async () => {
    await pause(READ_MS);
    terminal.type('y');
    await pause(READ_MS);
    const isTaken = terminal.everything.includes('allowed by you, once');
    // It went to the input line, where letters then stay.
    if (!isTaken) terminal.type('\x7f');
    return isTaken;
  });
  await terminal.shows('It is there.');
  expect(stage().read('.vscode/settings.json')).toBe('{"a":1}');
  expect(terminal.everything).toContain('allowed by you, once');
});

it('lets a message join the run with Enter, shows what waits, takes it back with Alt-Up, and ends the run with Escape [I2]', {
  timeout: 270_000,
}, async () => {
  await stage().model(({ bodyText }) => {
    if (bodyText.includes('wait long'))
      return { toolCalls: [{ name: 'bash', args: { command: 'sleep 600' } }] };
    if (bodyText.includes('also count')) return { text: 'counted as well' };
    if (bodyText.includes('"role":"tool"')) return { text: 'done' };
    return { toolCalls: [{ name: 'bash', args: { command: 'echo begun; sleep 3' } }] };
  });
  await stage().withEngine();
  await using terminal = open();
  await terminal.shows(READY);
  terminal.type(`begin${KEY.enter}`);
  await terminal.shows('│ begun');
  terminal.type(`also count${KEY.enter}`);
  await terminal.shows('joins the run: also count');
  terminal.type(`later${KEY.altEnter}`);
  await terminal.shows('next: later');
  terminal.type(KEY.altUp);
  await terminal.gone('next: later');
  await terminal.shows('counted as well');
  expect(terminal.text).toContain('later');
  terminal.type(KEY.ctrlC);
  terminal.type(`wait long${KEY.enter}`);
  await terminal.shows('● bash sleep 600');
  terminal.type(KEY.escape);
  await terminal.shows('· cancelled');
});

it('takes a paste of many lines as one message, and a screen of 20 columns [I2]', {
  timeout: 270_000,
}, async () => {
  const lines = Array.from({ length: 300 }, (_, at) => `pasted ${at}`);
  let got = '';
  await stage().model(({ bodyText }) => {
    got = bodyText;
    return { text: 'An answer of some words, so that it has to be wrapped on a narrow screen.' };
  });
  await stage().withEngine();
  await using terminal = open();
  await terminal.shows(READY);
  terminal.paste(lines.join('\r'));
  await terminal.shows('+300 lines');
  terminal.type(KEY.enter);
  await terminal.shows('An answer of some words');
  await until(
    'the whole paste at the model',
    () => got.includes('pasted 0\\npasted 1\\n') && got.includes('pasted 299'),
  );
  terminal.resize(20, 10);
  await terminal.shows('narrow screen.');
  for (const line of terminal.lines) expect([...line].length).toBeLessThanOrEqual(20);
  terminal.type(`again${KEY.enter}`);
  await until('the second message', () => terminal.everything.includes('› again'));
  terminal.resize(100, 30);
  await terminal.shows('An answer of some words, so that it has to be wrapped on a narrow screen.');
});

it('prints lines as run does with --no-tui and on a dumb terminal [I2]', async () => {
  await stage().model(() => ({ text: 'the answer' }));
  await stage().withEngine();
  for (const [args, env] of [
    [['--no-tui'], {}],
    [[], { TERM: 'dumb' }],
  ] as const) {
    await using terminal = open(args, {}, env);
    await terminal.shows(/session \w+ · /);
    terminal.type(`hello${KEY.enter}`);
    await terminal.shows(/the answer\s+>/);
    expect(terminal.text).not.toContain('─');
    terminal.type(KEY.ctrlD);
    expect(await terminal.ended()).toBe(0);
  }
});

it('cancels the run and not the program with Ctrl-C, with --no-tui [I2] [T9]', async () => {
  await stage().model(({ bodyText }) => ({
    text: bodyText.includes('again') ? 'second' : 'first',
    ...(bodyText.includes('again') ? {} : { delayMs: 600_000 }),
  }));
  await stage().withEngine();
  await using terminal = open(['--no-tui']);
  await terminal.shows(/session \w+ · /);
  terminal.type(`hello${KEY.enter}`);
  await terminal.shows('waiting for');
  terminal.type(KEY.ctrlC);
  await terminal.shows(/cancelled\s+>/);
  terminal.type(`again${KEY.enter}`);
  await terminal.shows(/second\s+>/);
  terminal.type(KEY.ctrlD);
  expect(await terminal.ended()).toBe(0);
});

it('goes on with a session where it was left, and with the engine when that comes back [I2] [T3]', {
  timeout: 270_000,
}, async () => {
  await stage().model(() => ({ text: 'the first answer' }));
  await stage().withEngine();
  await using first = open();
  await first.shows(READY);
  first.type(`one${KEY.enter}`);
  await first.shows('the first answer');
  await first.gone('Esc interrupts');
  first.type(KEY.ctrlD);
  await first.ended();
  const [, session = ''] = /--session (\w+)/.exec(first.everything.replaceAll('\n', '')) ?? [];
  await using second = open(['--session', session]);
  await second.shows('the first answer');
  await stage().killEngine();
  await second.gone('reconnecting');
  second.type(`two${KEY.enter}`);
  await second.shows('› two');
  await until('two answers', () => second.everything.split('the first answer').length === 3);
});

it('draws its first frame before it has a session, and tells how long that took [I2]', {
  timeout: 270_000,
}, async () => {
  await stage().withEngine();
  const paints: number[] = [];
  const starts: number[] = [];
  for (let at = 0; at < 3; at += 1) {
    const started = performance.now();
    await stage().cli(['version']);
    starts.push(performance.now() - started);
    await using terminal = open();
    await terminal.shows('────');
    paints.push(terminal.firstPaintMs ?? Number.NaN);
    await terminal.shows(READY);
    terminal.type(KEY.ctrlD);
    await terminal.ended();
  }
  const median = (values: readonly number[]) => Math.round(values.toSorted((a, b) => a - b)[1] ?? 0);
  process.stdout.write(
    `first paint of the terminal UI, engine warm: ${median(paints)} ms (the goal is 150); \`bulkhead version\`: ${median(starts)} ms; ratio ${(median(paints) / median(starts)).toFixed(2)}\n`,
  );
  expect(paints.every((ms) => ms > 0)).toBe(true);
});
