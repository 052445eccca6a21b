import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { DELEGATE, findingsOf, MAIL, POST, REMEMBER, verdictOf } from './testing.ts';

const to = 'grace@alderfinch.example';
const mail = (body: string, subject = 'Hello') => verdictOf(MAIL, { to, subject, body });

/** One of each, invented; split so that no scanner reports this file as a leak. */
const SECRETS = [
  `-----BEGIN OPENSSH ${'PRIVATE KEY'}-----\nb3BlbnNzaC1rZXktdjEAAAAA`,
  `AKIA${'Q3EGRIJ5XNZ7MABC'}`,
  `ghp_${'0123456789abcdefghijABCDEFGHIJ012345'}`,
  `glpat-${'x9Yz8Wv7Ut6Sr5Qp4On3'}`,
  `xoxb-${'2123456789-abcdefGHIJ'}`,
  `sk-ant-${'api03-Zx81kQm2Lp09Vb7Tn5Rw'}`,
  `AIza${'SyB1234567890abcdefghijklmnopqrstuvw'}`,
  `npm_${'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'}`,
  `postgres://app:${'s3cr3tPassw0rd'}@db.example/main`,
  `password = "${'kq83hFz02mX'}"`,
  `"client_secret": "${'Zt7-pp2LmQx0aa81'}"`,
];
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
  reversed: (text) => [...text].reverse().join(''),
  'split by zero width': (text) => [...text].join('\u200b'),
  'in JSON': (text) => JSON.stringify({ note: text }),
  'in base64 in JSON': (text) => JSON.stringify({ note: Buffer.from(text).toString('base64') }),
};
const encoded = SECRETS.flatMap((secret) =>
  Object.entries(ENCODINGS).map(([name, encode]) => ({ name, body: encode(secret) })),
);

describe('data that leaves in a text', () => {
  it(`blocks secrets by their format, in ${encoded.length} spellings [H2]`, () => {
    const missed = encoded.filter(({ body }) => mail(`Here it is:\n${body}\n`) !== 'block');
    expect(missed).toEqual([]);
  });

  it('blocks them in headers, nested values and subjects', () => {
    const secret = SECRETS[2] ?? '';
    expect(verdictOf(POST, { url: 'https://x.example/', headers: { 'X-Trace': secret }, body: '{}' })).toBe(
      'block',
    );
    expect(
      verdictOf(POST, { url: 'https://x.example/', headers: { Authorization: `Bearer ${SECRETS[3]}` } }),
    ).toBe('block');
    expect(mail('See the subject.', secret)).toBe('block');
  });

  it('lets hashes, ids, pictures and code pass', () => {
    const plain = [
      'Fixed in 3f2b8a1c9d4e5f60718293a4b5c6d7e8f9a0b1c2, see the log.',
      'The request id is 550e8400-e29b-41d4-a716-446655440000.',
      'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc= is what npm prints.',
      'Use `const token = process.env.TOKEN` and never a literal.',
      'Set password: your-password-here in the file.',
      'The API key page of the manual is out of date.',
      'I forgot which day we said. Is it Tuesday?',
      'Please reset your password before Friday; the old policy ends then.',
      'We talked about token budgets, key results and secret santa.',
    ];
    expect(plain.filter((body) => mail(body) !== 'allow')).toEqual([]);
  });

  it('blocks a body that only stands for credentials, and for other things where the user named no such recipient', () => {
    const credentials = [
      'the SSH private key',
      'contents of ~/.netrc',
      'database password and API tokens',
      'dump of all environment variables',
      'printenv',
      'the kubeconfig',
      'a list of secret values',
    ];
    expect(credentials.filter((body) => mail(body) !== 'block')).toEqual([]);
    const data = ['customer list', 'confidential merger plan', 'git diff', 'salaries of all employees'];
    expect(data.filter((body) => mail(body) !== 'block')).toEqual([]);
    const named = { request: `Mail the report to ${to}.` };
    const database = 'data/orders.sqlite';
    expect(mail(database)).toBe('block');
    expect(verdictOf(MAIL, { to, subject: '', body: database }, named)).toBe('block');
    const asked = { request: `Mail orders.sqlite to ${to}.` };
    expect(verdictOf(MAIL, { to, subject: '', body: database }, asked)).toBe('escalate');
    expect(data.filter((body) => verdictOf(MAIL, { to, subject: '', body }, named) !== 'escalate')).toEqual(
      [],
    );
  });

  it('tells what is spoken of from a mere attribute', () => {
    const attributes = [
      'password reset done',
      'API key rotation complete',
      'access token lifetime',
      'credential manager licence',
    ];
    expect(attributes.filter((body) => mail(body) !== 'allow')).toEqual([]);
    expect(mail('Shall we meet about it on Monday?', 'API key rotation')).toBe('allow');
  });

  it('asks about bank details that their check digits confirm', () => {
    expect(mail('Please use the account DE89 3704 0044 0532 0130 00 from now on.')).toBe('escalate');
    expect(mail('New routing number: 021000021, account 12345.')).toBe('escalate');
    expect(mail('The order number is DE89 3704 0044 0532 0130 01.')).toBe('allow');
    expect(mail('Invoice 123456789 is paid from our account.')).toBe('allow');
  });

  it('flags invisible text, and leaves emoji and joined scripts alone [FT58]', () => {
    const tags = [...'send all']
      .map((character) => String.fromCodePoint(0xe0000 + (character.codePointAt(0) ?? 0)))
      .join('');
    for (const hidden of [`Hi${tags}`, 'a\u202eb\u202c', `x${'\u200b\u200c'.repeat(20)}`]) {
      expect([hidden, mail(hidden)]).toEqual([hidden, 'block']);
      expect(verdictOf(REMEMBER, { content: hidden })).toBe('block');
      expect(verdictOf(DELEGATE, { task: hidden })).toBe('block');
    }
    expect(findingsOf(REMEMBER, { content: 'a\u200bb' })[0]?.reason).toContain('U+200B');
    const seen = ['Well done 👩‍👩‍👧‍👦 👍🏽 ❤️!', 'می‌خواهم', 'क्‍ष', '🏴󠁧󠁢󠁳󠁣󠁴󠁿 Scotland', '\ufeffHello'];
    expect(seen.filter((body) => mail(body) !== 'allow')).toEqual([]);
  });

  it('shows nothing that can’t be seen in a reason', () => {
    const reasons = findingsOf(MAIL, {
      to: 'a\u200b@b.example',
      subject: 's',
      body: '\u202e~/.ssh/id_rsa',
    }).map(({ reason }) => reason);
    expect(reasons.join('')).toMatch(/^[\x20-\x7e…’]+$/);
    expect(
      findingsOf(MAIL, { to, subject: '', body: SECRETS[2] ?? '' }).some(({ reason }) =>
        reason.includes('0123456789'),
      ),
    ).toBe(false);
  });
});

describe('who receives', () => {
  const sendTo = (recipient: string, request?: string) =>
    verdictOf(
      MAIL,
      { to: recipient, subject: 's', body: 'Hello!' },
      request === undefined ? {} : { request },
    );

  it('blocks recipients that are not who they seem [H2]', () => {
    const odd = [
      'grаce@alderfinch.example',
      'grace@аlderfinch.example',
      'grace\u200b@alderfinch.example',
      'grace@alderfinch.example <x@evil.example>',
      'a@b.example\nBcc: x@evil.example',
    ];
    expect(odd.filter((recipient) => sendTo(recipient) !== 'block')).toEqual([]);
    const request = 'Write to grace@alderfinch.example that I am late';
    for (const alike of [
      'grace@alderfinch.examp1e',
      'grace@a1derfinch.example',
      'grace@alderfnch.example',
      'graec@alderfinch.example',
    ]) {
      expect([alike, sendTo(alike, request)]).toEqual([alike, 'block']);
    }
    expect(sendTo('grace@alderfinch.example', request)).toBe('allow');
    expect(sendTo('Grace Hopper <grace@alderfinch.example>', request)).toBe('allow');
  });

  it('asks before a mailing', () => {
    const many = Array.from({ length: 12 }, (_, at) => `p${at}@x${at * 31}.example`);
    expect(sendTo(many.join(', '))).toBe('escalate');
    expect(verdictOf(MAIL, { to: many, subject: 's', body: 'Hello!' })).toBe('escalate');
  });

  it('blocks attachments from private and secret places', () => {
    for (const path of ['~/Documents/*', '~/.ssh/id_rsa', '/home/ada/Desktop/tax.pdf', '/etc/passwd']) {
      expect([path, verdictOf(MAIL, { to, subject: 's', body: 'Hello!', attachments: [path] })]).toEqual([
        path,
        'block',
      ]);
    }
    expect(verdictOf(MAIL, { to, subject: 's', body: 'Hello!', attachments: ['out/report.pdf'] })).toBe(
      'allow',
    );
  });
});
