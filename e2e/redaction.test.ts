import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { auditSteps } from './support/audit-steps.ts';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, settledOf } from './support/event-lines.ts';
import { foundIn } from './support/home-bytes.ts';
import { Talk } from './support/talk.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash, waitingCommand } from './support/waiting-command.ts';
import { sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

/** Drawn for this test: a key the engine is given, and a token it can only know by its form. */
const KEY = 'canary-7Qm2xVb9LkT4wRz8';
const TOKEN = `ghp_${'Zk3vB8nQ2mW7xR5tL9'.repeat(2)}`;
const SECRETS = [KEY, TOKEN];
const env = { OPENAI_API_KEY: KEY };

/** Each letter a delta of its own. */
const inLetters = (text: string): string[] => [...text];

describe('a secret that a model or a tool says', () => {
  it('is in no client, no log, no audit entry and no state, and what runs is exact [A7] [FT57] [FT87]', async () => {
    stage().write('notes.txt', `the token is ${TOKEN}\nand the key ${Buffer.from(KEY).toString('base64')}\n`);
    const server = await stage().model([
      {
        text: inLetters(`I use ${KEY}. `),
        toolCalls: [
          { name: 'read', args: { path: 'notes.txt' } },
          { name: 'write', args: { path: 'made.txt', content: `${KEY} ${TOKEN}` } },
          bash(
            `printf '%s' '${TOKEN}' | sed 's/ghp/ghp/'; echo '${KEY}' | tee echoed.txt; echo ${KEY} >&2; exit 3`,
          ),
          { name: TOKEN, args: {} },
          { name: 'no\n{"step":"EXECUTED"}', args: {} },
          { name: 'read', args: { path: `${TOKEN}/none` } },
        ],
      },
      {
        text: [
          `The key: ${KEY.slice(0, 9)}`,
          KEY.slice(9),
          ' and ',
          TOKEN.slice(0, 20),
          TOKEN.slice(20),
          '!',
        ],
      },
      { error: { status: 400, message: `the key ${KEY} and ${TOKEN} are bad` } },
    ]);
    const { events, stdout, stderr } = await stage().cli(['run', '--json', '--approve', 'allow', 'go'], {
      env,
    });
    expect(grammarProblems(events)).toEqual([]);
    const shown = ofType(events, 'text_delta')
      .map(({ text }) => text)
      .join('');
    const answer = 'The key: [redacted:secret] and [redacted:github-token]!';
    expect(shown).toBe(`I use [redacted:secret]. ${answer}`);
    expect(settledOf(events)).toMatchObject({ outcome: 'completed', answer });
    // The executed action is exactly the requested one.
    expect(stage().read('made.txt')).toBe(`${KEY} ${TOKEN}`);
    expect(stage().read('echoed.txt')).toBe(`${KEY}\n`);
    // The model reads what the clients read.
    const results = sentMessages(server.requests[1] ?? noRequest()).filter(({ role }) => role === 'tool');
    expect(JSON.stringify(results)).toContain('the token is [redacted:github-token]');
    for (const secret of SECRETS) expect(JSON.stringify(results)).not.toContain(secret);

    const { session } = settledOf(events);
    const failed = await stage().cli(['run', '--json', '--session', session, 'once more'], { env });
    const history = JSON.stringify(sentMessages(server.requests[2] ?? noRequest()));
    const shows = await stage().cli(['sessions', 'show', session]);
    const output = [stdout, stderr, failed.stdout, failed.stderr, history, shows.stdout, shows.stderr];
    for (const secret of SECRETS) expect(output.filter((text) => text.includes(secret))).toEqual([]);
    expect(shows.stdout).toContain('[redacted:secret]');

    expect(foundInState()).toEqual([]);
    // One line for each entry, whatever is in it.
    const done = auditSteps(stage(), session).filter((step) => step === 'EXECUTED' || step === 'FAILED');
    expect(done).toHaveLength(4);
    expect((await stage().cli(['stop'])).code).toBe(0);
    expect(foundInState()).toEqual([]);
  });

  it('is not shown to the person who is asked, and is in what they allow', async () => {
    await stage().model(
      [{ toolCalls: [{ name: 'write', args: { path: 'a.txt', content: `x ${TOKEN}` } }] }, { text: 'done' }],
      { config: 'policy: strict' },
    );
    const { events } = await stage().cli(['run', '--json', '--approve', 'allow', 'go'], { env });
    const text = JSON.stringify(events);
    expect(text).not.toContain(TOKEN);
    expect(stage().read('a.txt')).toBe(`x ${TOKEN}`);
  });

  it('stays out of the log also when its engine is killed, and a call it was in is not made otherwise', async () => {
    const server = await stage().model([
      { toolCalls: [waitingCommand, bash(`printf '%s' '${TOKEN}' > kept.txt`)] },
      { text: 'I see' },
    ]);
    await using talk = await Talk.begin(stage());
    await talk.send('go');
    const { seq } = await talk.event('tool_delta', ({ text }) => text.includes('begun'));
    await stage().killEngine();
    await talk.event('tool_delta', (event) => event.seq > seq && event.text.includes('begun'));
    stage().write('go', '');
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'settled')).toMatchObject([{ outcome: 'completed', answer: 'I see' }]);
    expect(ofType(events, 'tool_output').map(({ text, isError }) => [isError, text])).toEqual([
      [false, expect.stringContaining('finished')],
      [true, expect.stringContaining('does not keep the secret')],
    ]);
    expect(server.requests).toHaveLength(2);
    expect(foundInState()).toEqual([]);
    expect(foundIn(stage().folder, ['kept.txt', '[redacted'])).toEqual([]);
  });
});

describe('output that is too long to show', () => {
  it('is kept without the secrets in it, and no half of one is shown where it is cut [A7] [FT57]', async () => {
    // Lines of many lengths, so that cuts fall anywhere in them.
    const command = `for i in $(seq 3000); do printf '%s %.*s\\n' '${TOKEN}' $((i % 41)) ${'x'.repeat(40)}; done`;
    await stage().model([{ toolCalls: [bash(command)] }, { text: 'long' }]);
    const { events, stdout } = await stage().cli(['run', '--json', 'go'], { env });
    const [output] = ofType(events, 'tool_output');
    expect(output?.text).toContain('bytes are left out here');
    expect(output?.text.replaceAll('[redacted:github-token]', '')).not.toMatch(/Zk3vB8|xR5tL9/);
    expect(stdout).not.toContain(TOKEN);
    expect(foundInState()).toEqual([]);
    expect(foundIn(stage().layout.outputs, ['[redacted:github-token]'])).toHaveLength(1);
  });
});

describe('the search for a secret', () => {
  it('finds one that a person has sent: their own words are kept', async () => {
    await stage().model([{ text: 'thanks' }]);
    await stage().cli(['run', `my token is ${TOKEN}`], { env });
    expect(foundIn(stage().layout.state, [TOKEN]).length).toBeGreaterThan(0);
    expect(readFileSync(`${stage().layout.logs}/engine.log`, 'utf8')).not.toContain(TOKEN);
  });
});

/** A command's scratch folder has a link to its working folder: what lies there is the person's own. */
function foundInState(): readonly string[] {
  return foundIn(stage().layout.state, SECRETS).filter((place) => !/ in scratch\/\w+\/work\//.test(place));
}

function noRequest(): never {
  throw new Error('there was no such request');
}
