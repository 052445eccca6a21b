import type { Redaction } from '@bulkhead/protocol';

/** Returns random-looking characters, the same each time; none was ever a key. */
export function drawn(characters: string, length: number, seed = 7): string {
  let state = seed;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    // Numerical Recipes' linear congruence.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += characters[Math.floor((state / 2 ** 32) * characters.length)] ?? '';
  }
  return text;
}

/** Returns a stream's output for a text that is cut at these places. */
export function redactedInPieces(redaction: Redaction, text: string, cuts: readonly number[]): string {
  const stream = redaction.redactor();
  const places = [...cuts, text.length].toSorted((a, b) => a - b);
  let from = 0;
  let out = '';
  for (const place of places) {
    out += stream.push(text.slice(from, place));
    from = place;
  }
  return out + stream.end();
}

const DIGIT = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const BASE62 = DIGIT + LOWER + UPPER;
const HEX = '0123456789abcdef';
const BASE64 = `${BASE62}+/`;

const lines = (text: string, width: number, joint = '\n'): string =>
  text.match(new RegExp(`.{1,${width}}`, 'g'))?.join(joint) ?? '';

const pem = (label: string, joint: string): string =>
  `-----BEGIN ${label}-----${joint}${lines(drawn(BASE64, 400), 64, joint)}${joint}-----END ${label}-----`;

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Kind, secret, and the text that makes it a secret, if it needs one. */
const DRAWN: readonly (readonly [kind: string, secret: string, text?: string])[] = [
  ['anthropic-key', `sk-ant-api03-${drawn(`${BASE62}-_`, 95)}`],
  ['openrouter-key', `sk-or-v1-${drawn(HEX, 64)}`],
  ['openai-key', `sk-proj-${drawn(`${BASE62}-_`, 120)}`],
  ['api-key', `sk-${drawn(BASE62, 48)}`],
  ['google-key', `AIza${drawn(BASE62, 35)}`],
  ['google-token', `ya29.${drawn(BASE62, 120)}`],
  ['google-secret', `GOCSPX-${drawn(BASE62, 28)}`],
  ['hugging-face-token', `hf_${drawn(LOWER + UPPER, 34)}`],
  ['groq-key', `gsk_${drawn(BASE62, 52)}`],
  ['xai-key', `xai-${drawn(BASE62, 80)}`],
  ['replicate-token', `r8_${drawn(BASE62, 37)}`],
  ['aws-key', `AKIA${drawn(UPPER, 16)}`],
  ['secret', drawn(BASE64, 40), `aws_secret_access_key = ${drawn(BASE64, 40)}`],
  ['azure-secret', `8Q~${drawn(BASE62, 34)}`, `abc8Q~${drawn(BASE62, 34)}`],
  ['secret', `${drawn(BASE64, 86)}==`, `AccountName=store;AccountKey=${drawn(BASE64, 86)}==;End`],
  ['digitalocean-token', `dop_v1_${drawn(HEX, 64)}`],
  ['cloudflare-token', `cfut_${drawn(BASE62, 48)}`],
  ['secret', drawn(`${BASE62}-_`, 40, 3), `CLOUDFLARE_API_TOKEN="${drawn(`${BASE62}-_`, 40, 3)}"`],
  ['github-token', `ghp_${drawn(BASE62, 36)}`],
  ['github-token', `gho_${drawn(BASE62, 36)}`],
  ['github-token', `ghu_${drawn(BASE62, 36)}`],
  ['github-token', `ghs_${drawn(BASE62, 36)}`],
  ['github-token', `ghr_${drawn(BASE62, 36)}`],
  ['github-token', `github_pat_${drawn(BASE62, 22)}_${drawn(BASE62, 59)}`],
  ['gitlab-token', `glpat-${drawn(BASE62, 20)}`],
  ['npm-token', `npm_${drawn(BASE62, 36)}`],
  ['pypi-token', `pypi-AgEIcHlwaS5vcmc${drawn(BASE62, 80)}`],
  ['docker-token', `dckr_pat_${drawn(BASE62, 27)}`],
  ['slack-token', `xoxb-${drawn(DIGIT, 12)}-${drawn(DIGIT, 13)}-${drawn(BASE62, 24)}`],
  [
    'slack-webhook',
    `T${drawn(UPPER, 9)}/B${drawn(UPPER, 9)}/${drawn(BASE62, 24)}`,
    `https://hooks.slack.com/services/T${drawn(UPPER, 9)}/B${drawn(UPPER, 9)}/${drawn(BASE62, 24)}`,
  ],
  ['telegram-token', `AA${drawn(BASE62, 33)}`, `123456789:AA${drawn(BASE62, 33)}`],
  [
    'discord-token',
    `${drawn(BASE62, 6)}.${drawn(BASE62, 38)}`,
    `M${drawn(BASE62, 25)}.${drawn(BASE62, 6)}.${drawn(BASE62, 38)}`,
  ],
  ['sendgrid-key', `SG.${drawn(BASE62, 22)}.${drawn(BASE62, 43)}`],
  ['twilio-key', `SK${drawn(HEX, 32)}`],
  ['secret', drawn(HEX, 32, 5), `TWILIO_AUTH_TOKEN: '${drawn(HEX, 32, 5)}'`],
  ['stripe-key', `sk_live_${drawn(BASE62, 24)}`],
  ['stripe-secret', `whsec_${drawn(BASE62, 32)}`],
  ['vault-token', `hvs.${drawn(BASE62, 90)}`],
  ['age-key', `AGE-SECRET-KEY-1${drawn(UPPER, 58)}`],
  ['jwt', [base64url('{"alg":"HS256"}'), base64url('{"sub":"1234567890"}'), drawn(BASE62, 43)].join('.')],
  ['private-key', pem('RSA PRIVATE KEY', '\n')],
  ['private-key', pem('OPENSSH PRIVATE KEY', '\r\n')],
  [
    'private-key',
    pem('PRIVATE KEY', '\\n'),
    `{"type": "service_account", "key": "${pem('PRIVATE KEY', '\\n')}"}`,
  ],
  ['private-key', pem('EC PRIVATE KEY', '\n   12\t')],
  ['bearer-token', drawn(BASE62, 32, 9), `Authorization: Bearer ${drawn(BASE62, 32, 9)}`],
  [
    'basic-auth',
    Buffer.from('me:my-password').toString('base64'),
    `Authorization: Basic ${Buffer.from('me:my-password').toString('base64')}`,
  ],
  ['password', 'pa55-w0rd', 'postgres://me:pa55-w0rd@db.example.com:5432/app'],
  ['secret', drawn(BASE62, 24, 11), `{"clientSecret": "${drawn(BASE62, 24, 11)}"}`],
  ['secret', drawn(BASE62, 24, 12), `deploy --token ${drawn(BASE62, 24, 12)} --yes`],
  ['secret', drawn(BASE62, 24, 13), `<password>${drawn(BASE62, 24, 13)}</password>`],
];

/** One sample of each kind: the secret, which must be removed, and a text that contains it. */
export const SAMPLES: readonly (readonly [kind: string, secret: string, text: string])[] = DRAWN.map(
  ([kind, secret, text = secret]) => [kind, secret, text],
);
