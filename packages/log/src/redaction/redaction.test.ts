import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import type { AuditInput } from '@bulkhead/audit';
import { AssistantMessageSchema, AttachmentSchema } from '@bulkhead/protocol/chat';
import { createRedaction } from '@bulkhead/shield';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsOf } from '../session/message-view.ts';
import { withheldCalls } from '../session/withheld-calls.ts';
import { AnswerStream } from './answer-stream.ts';
import { KnownSecrets } from './known-secrets.ts';
import { redactAnswer, redactText } from './redact-answer.ts';
import { redactAttachment } from './redact-record.ts';
import { redactValue } from './redact-value.ts';
import { redactingAudit } from './redacting-audit.ts';
import { secretsOfEnvironment } from './secrets-of-environment.ts';

const CANARY = 'canary-value-of-a-key';
const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const redaction = createRedaction([CANARY]);

const answer = (...parts: readonly (readonly ['text' | 'thinking', string, string?])[]) =>
  create(AssistantMessageSchema, {
    parts: parts.map(([kind, text, providerJson = '']) => ({
      part: { case: kind, value: { text } },
      providerJson,
    })),
  });

const calling = (argumentsJson: string) =>
  create(AssistantMessageSchema, {
    parts: [
      {
        part: { case: 'toolCall', value: { callId: 'c', name: 'bash', argumentsJson } },
        providerJson: '{"p":{}}',
      },
    ],
  });

const textIn = (message: ReturnType<typeof answer>): string =>
  message.parts.map(({ part }) => (part.case === 'text' ? part.value.text : '')).join('');

it('cuts secrets out of files that a person sends along, names included [A7]', () => {
  const file = create(AttachmentSchema, { name: `${CANARY}.txt`, text: `key: ${TOKEN}, ${CANARY}` });
  const kept = redactAttachment(file, redaction);
  expect(JSON.stringify(kept)).not.toContain(CANARY);
  expect(kept.text).not.toContain(TOKEN);
  expect(kept.text).toMatch(/^key: /);
});

describe('a streamed answer', () => {
  it('is stored as it was streamed, whatever secrets it has, and however it is cut [A7] [FT57]', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(CANARY, TOKEN, CANARY.slice(0, 9), CANARY.slice(9), 'gh', '\n'),
    );
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 5 }), { maxLength: 4 }), (parts) => {
        let streamed = '';
        const stream = new AnswerStream(redaction, (kind, text) => {
          expect(text).not.toBe('');
          if (kind === 'text') streamed += text;
        });
        for (const delta of parts.flat()) stream.push('text', delta);
        stream.end();
        const whole = answer(...parts.map((deltas) => ['text', deltas.join('')] as const));
        const goesOn = redactText(whole, redaction);
        expect(textIn(goesOn)).toBe(streamed);
        expect(textIn(redactAnswer(whole, redaction))).toBe(streamed);
        expect(textIn(redactAnswer(goesOn, redaction))).toBe(streamed);
        expect(streamed).not.toContain(CANARY);
      }),
    );
  });

  it('goes on with its thinking and arguments as they are; what is kept of them has no secret, and no signature of it', () => {
    const thinking = answer(['thinking', `I know ${CANARY}`, '{"anthropic":{"signature":"s"},"model":"m"}']);
    expect(redactText(thinking, redaction)).toBe(thinking);
    expect(redactAnswer(thinking, redaction).parts).toMatchObject([
      { part: { value: { text: 'I know [redacted:secret]' } }, providerJson: '{}' },
    ]);
    const hidden = answer(['thinking', 'fine', `{"openrouter":{"text":"${CANARY}"}}`]);
    expect(redactAnswer(hidden, redaction).parts).toMatchObject([{ providerJson: '{}' }]);
    const plain = answer(['thinking', 'fine', '{"p":{"signature":"s"}}']);
    expect(redactAnswer(plain, redaction)).toEqual(plain);
  });

  it('keeps arguments that parse parsable, and those without a secret byte for byte', () => {
    const spaced = '{ "command" : "ls" }';
    expect(callsOf(redactAnswer(calling(spaced), redaction))[0]?.argumentsJson).toBe(spaced);
    for (const text of [`x ${TOKEN}`, `-----BEGIN PRIVATE KEY-----\n${'A1b2'.repeat(20)}`, `"${CANARY}"`]) {
      const kept =
        callsOf(redactAnswer(calling(JSON.stringify({ text, n: 1 })), redaction))[0]?.argumentsJson ?? '';
      expect(JSON.parse(kept)).toMatchObject({ text: expect.stringContaining('[redacted:'), n: 1 });
    }
    expect(callsOf(redactAnswer(calling(`{ broken ${TOKEN}`), redaction))[0]?.argumentsJson).toBe(
      '{ broken [redacted:github-token]',
    );
  });

  it('tells which of its calls can not be made from the log', () => {
    expect([...withheldCalls(redactAnswer(calling(`{"a":"${TOKEN}"}`), redaction))]).toEqual(['c']);
    expect([...withheldCalls(redactAnswer(calling('{"a":"b"}'), redaction))]).toEqual([]);
  });
});

describe('a JSON value', () => {
  it('has no secret in any text of it, names included, and is the same without one', () => {
    const value = { a: [`x ${TOKEN}`, { b: CANARY, [TOKEN]: 1 }], n: 1, z: null, t: true };
    expect(redactValue(value, redaction)).toEqual({
      a: ['x [redacted:github-token]', { b: '[redacted:secret]', '[redacted:github-token]': 1 }],
      n: 1,
      z: null,
      t: true,
    });
    expect(
      redactValue({ api_key: 'f8Kd92mxQz71LpRw04Vt', other: 'f8Kd92mxQz71LpRw04Vt' }, redaction),
    ).toEqual({
      api_key: '[redacted:secret]',
      other: 'f8Kd92mxQz71LpRw04Vt',
    });
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(JSON.stringify(redactValue(json, redaction))).toBe(JSON.stringify(json));
      }),
    );
  });
});

describe('the audit log', () => {
  it('is given no secret in any detail [FT87]', async () => {
    const given: unknown[] = [];
    const log = {
      append: async (inputs: readonly AuditInput[]) => {
        given.push(...inputs);
        return [];
      },
    };
    const sink = redactingAudit(log, redaction);
    const details = { reason: `no ${CANARY}`, paths: [`read /w/${TOKEN}`] };
    await sink.append([{ step: 'REFUSED', action: 'a', hash: 'h', session: 's', tool: TOKEN, details }]);
    expect(given).toEqual([
      {
        step: 'REFUSED',
        action: 'a',
        hash: 'h',
        session: 's',
        tool: '[redacted:github-token]',
        details: { reason: 'no [redacted:secret]', paths: ['read /w/[redacted:github-token]'] },
      },
    ]);
  });
});

it('keeps the nonce of an approval in the audit log: it is no secret, and no longer of use [FR6]', async () => {
  const given: AuditInput[] = [];
  const log = {
    append: async (inputs: readonly AuditInput[]) => {
      given.push(...inputs);
      return [];
    },
  };
  const details = { nonce: randomUUID() };
  const started = { step: 'STARTED', action: 'a', hash: 'h', session: 's', tool: 't', details } as const;
  await redactingAudit(log, redaction).append([started]);
  expect(given).toEqual([started]);
});

/** The program waits for something, and others may change the store meanwhile. */
const nextStep = (): Promise<void> => Promise.resolve();

/** The secrets of an engine, and how many characters were read for them. */
function countingSecrets() {
  let count = 0;
  const secrets = new KnownSecrets(
    () => [],
    (values) => {
      const { redact, redactor } = createRedaction(values);
      const read = (text: string): string => {
        count += text.length;
        return text;
      };
      return {
        redact: (text) => redact(read(text)),
        redactor: () => {
          const stream = redactor();
          return {
            push: (chunk) => stream.push(read(chunk)),
            rest: () => stream.rest(),
            end: () => stream.end(),
          };
        },
      };
    },
  );
  return { secrets, read: () => count };
}

describe('the secrets an engine knows', () => {
  it('are those added and those stored now; what was known once stays known, also if the store is broken', async () => {
    let stored = ['first-of-the-store'];
    let broken = false;
    const secrets = new KnownSecrets(() => {
      if (broken) throw new Error('unreadable');
      return stored;
    });
    secrets.add(CANARY, undefined, '');
    expect(secrets.redact(`${CANARY} first-of-the-store second-of-the-store`)).toBe(
      '[redacted:secret] [redacted:secret] second-of-the-store',
    );
    stored = ['second-of-the-store'];
    await nextStep();
    expect(secrets.redact('first-of-the-store second-of-the-store')).toBe(
      '[redacted:secret] [redacted:secret]',
    );
    broken = true;
    await nextStep();
    const { redact } = secrets;
    expect(redact(`${CANARY} second-of-the-store`)).toBe('[redacted:secret] [redacted:secret]');
  });

  it('are looked up once in a step, however many texts it redacts', async () => {
    let looked = 0;
    const secrets = new KnownSecrets(() => {
      looked += 1;
      return [];
    });
    for (let text = 0; text < 100; text += 1) secrets.redact('text');
    expect(looked).toBe(1);
    await nextStep();
    secrets.redact('text');
    expect(looked).toBe(2);
  });

  it('are looked for once in a long text, however often it is written down and shown [FG10]', () => {
    const { secrets, read } = countingSecrets();
    const stream = secrets.redactor();
    const pieces = Array.from(
      { length: 100 },
      (_, index) => `${index} ${'a line of an answer\n'.repeat(400)}`,
    );
    const streamed = pieces.map((piece) => stream.push(piece)).join('') + stream.end();
    const text = pieces.join('');
    expect(streamed).toBe(text);
    expect(read()).toBe(text.length);
    expect(textIn(redactText(answer(['text', text]), secrets))).toBe(text);
    expect(textIn(redactAnswer(answer(['text', text]), secrets))).toBe(text);
    expect(redactValue({ type: 'settled', answer: text }, secrets).answer).toBe(text);
    expect(read()).toBeLessThan(text.length + 100_000);
  });

  it('are looked for once more where an answer of one part holds one [FG10] [A7]', () => {
    const { secrets, read } = countingSecrets();
    const text = `${'a line of an answer\n'.repeat(10_000)}${TOKEN}`;
    const goesOn = redactText(answer(['text', text]), secrets);
    expect(textIn(goesOn)).toBe(text.replace(TOKEN, '[redacted:github-token]'));
    expect(read()).toBe(text.length);
  });

  it('are looked for again in a long text once there is a new one, also where it came as a stream [A7]', () => {
    const { secrets } = countingSecrets();
    const text = `${'word '.repeat(10_000)}${CANARY}`;
    const cut = text.replace(CANARY, '[redacted:secret]');
    const stream = secrets.redactor();
    const begun = stream.push(text);
    secrets.add(CANARY);
    expect(begun + stream.end()).toBe(text);
    expect(secrets.redact(text)).toBe(cut);
    const other = countingSecrets().secrets;
    expect([other.redact(text), other.redact(text)]).toEqual([text, text]);
    other.add(CANARY);
    expect([other.redact(text), other.redact(text)]).toEqual([cut, cut]);
  });

  it('are looked for with the name of a long text', () => {
    const { secrets } = countingSecrets();
    const random = 'f8Kd92mxQz71LpRw04Vt'.repeat(3_000);
    const value = { api_key: `${random} and so on`, other: `${random} and so on` };
    expect(redactValue(value, secrets)).toEqual({ ...value, api_key: '[redacted:secret] and so on' });
  });

  it('come from variables that are named like secrets or hold a key, and from no path or switch', () => {
    const environment = {
      ANTHROPIC_API_KEY: 'value-of-a-key',
      MY_MODEL: 'named',
      GITHUB_TOKEN: 'value-of-a-token',
      TOKEN_FILE: '/run/secrets/token',
      USE_TOKEN: '1',
      HOME: '/home/somebody',
      EMPTY_SECRET: '',
      LANG: 'C.UTF-8',
      UNSET_KEY: undefined,
    };
    expect(secretsOfEnvironment(environment, ['MY_MODEL'])).toEqual([
      'value-of-a-key',
      'named',
      'value-of-a-token',
    ]);
  });
});
