import {
  ALPHANUMERIC,
  alphabetOf,
  BASE62,
  BASE64,
  BASE64_URL,
  DIGITS,
  DOTTED,
  HEX_LOWER,
  TOKEN68,
  UPPER_DIGITS,
  WORD,
} from './alphabet.ts';
import type { SecretFormat } from './candidate.ts';
import { looksRandom } from './looks-random.ts';
import { TokenCandidate, type TokenShape } from './token-candidate.ts';
import { isWordStart } from './word-start.ts';

interface TokenFormat extends TokenShape {
  readonly kind: string;
  /** The start of every token of this kind. */
  readonly prefixes: readonly string[];
  /** For a prefix that also ends common words: it matches only at the start of a word. */
  readonly atWordStart?: true;
  /** Checks the text before the prefix, where the token starts earlier: that part is not secret. */
  after?(before: string): boolean;
}

const HEX_DASH = alphabetOf(`${DIGITS}abcdef-`);
const PATH = alphabetOf(`${ALPHANUMERIC}-_/`);

/**
 * Keys and tokens with their own prefix, from the issuers' documentation. `least` is below today's
 * length, which has changed before.
 */
const TOKEN_FORMATS: readonly TokenFormat[] = [
  // AI models.
  { kind: 'anthropic-key', prefixes: ['sk-ant-'], alphabet: BASE64_URL, least: 20 },
  { kind: 'openrouter-key', prefixes: ['sk-or-'], alphabet: BASE64_URL, least: 24 },
  {
    kind: 'openai-key',
    prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'],
    alphabet: BASE64_URL,
    least: 20,
  },
  // Also used by many services with OpenAI's wire format.
  {
    kind: 'api-key',
    prefixes: ['sk-'],
    alphabet: BASE64_URL,
    least: 20,
    atWordStart: true,
    isLikely: looksRandom,
  },
  { kind: 'google-key', prefixes: ['AIza'], alphabet: BASE64_URL, least: 35, atWordStart: true },
  { kind: 'google-token', prefixes: ['ya29.'], alphabet: BASE64_URL, least: 20, atWordStart: true },
  { kind: 'google-secret', prefixes: ['GOCSPX-'], alphabet: BASE64_URL, least: 24 },
  { kind: 'hugging-face-token', prefixes: ['hf_'], alphabet: BASE62, least: 30, atWordStart: true },
  { kind: 'hugging-face-token', prefixes: ['api_org_'], alphabet: BASE62, least: 30, atWordStart: true },
  { kind: 'groq-key', prefixes: ['gsk_'], alphabet: BASE62, least: 40, atWordStart: true },
  { kind: 'xai-key', prefixes: ['xai-'], alphabet: BASE62, least: 60, atWordStart: true },
  { kind: 'perplexity-key', prefixes: ['pplx-'], alphabet: BASE62, least: 40, atWordStart: true },
  { kind: 'replicate-token', prefixes: ['r8_'], alphabet: BASE62, least: 36, atWordStart: true },
  // Clouds.
  {
    kind: 'aws-key',
    prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    alphabet: UPPER_DIGITS,
    least: 16,
    most: 16,
    atWordStart: true,
  },
  {
    kind: 'aws-key',
    prefixes: ['ABSK'],
    alphabet: BASE64,
    least: 100,
    atWordStart: true,
  },
  {
    kind: 'azure-secret',
    prefixes: Array.from({ length: 10 }, (_, digit) => `${digit}Q~`),
    alphabet: TOKEN68,
    least: 31,
    after: (before) => /[\w~.-]{3}$/.test(before) && isWordStart(before.slice(0, -3)),
  },
  { kind: 'digitalocean-token', prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'], alphabet: HEX_LOWER, least: 60 },
  {
    kind: 'cloudflare-token',
    prefixes: ['cfut_', 'cfat_', 'cfk_'],
    alphabet: WORD,
    least: 40,
    atWordStart: true,
  },
  { kind: 'cloudflare-key', prefixes: ['v1.0-'], alphabet: HEX_DASH, least: 150 },
  { kind: 'heroku-key', prefixes: ['HRKU-'], alphabet: BASE64_URL, least: 30 },
  { kind: 'fly-token', prefixes: ['fm2_', 'fo1_'], alphabet: TOKEN68, least: 40, atWordStart: true },
  {
    kind: 'vault-token',
    prefixes: ['hvs.', 'hvb.', 'hvr.'],
    alphabet: BASE64_URL,
    least: 24,
    atWordStart: true,
  },
  { kind: 'databricks-token', prefixes: ['dapi'], alphabet: HEX_LOWER, least: 32, atWordStart: true },
  { kind: 'pulumi-token', prefixes: ['pul-'], alphabet: HEX_LOWER, least: 40, atWordStart: true },
  {
    kind: 'supabase-key',
    prefixes: ['sbp_', 'sb_secret_'],
    alphabet: BASE64_URL,
    least: 30,
    atWordStart: true,
  },
  {
    kind: 'planetscale-token',
    prefixes: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    alphabet: BASE64_URL,
    least: 32,
  },
  // Code and packages.
  {
    kind: 'github-token',
    prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    alphabet: WORD,
    least: 30,
  },
  { kind: 'github-token', prefixes: ['github_pat_'], alphabet: WORD, least: 40 },
  {
    kind: 'gitlab-token',
    prefixes: [
      ...['glpat-', 'gldt-', 'glrt-', 'glrtr-', 'glcbt-', 'glptt-', 'glft-', 'glimt-', 'glagent-', 'glwt-'],
      ...['gloas-', 'glsoat-', 'glffct-', 'GR1348941'],
    ],
    alphabet: DOTTED,
    least: 18,
  },
  { kind: 'bitbucket-token', prefixes: ['ATBB', 'ATCTT3', 'ATATT3'], alphabet: BASE64_URL, least: 28 },
  { kind: 'npm-token', prefixes: ['npm_'], alphabet: BASE62, least: 36, atWordStart: true },
  { kind: 'pypi-token', prefixes: ['pypi-AgE'], alphabet: BASE64_URL, least: 40 },
  { kind: 'rubygems-key', prefixes: ['rubygems_'], alphabet: HEX_LOWER, least: 40 },
  { kind: 'docker-token', prefixes: ['dckr_pat_', 'dckr_oat_'], alphabet: BASE64_URL, least: 24 },
  { kind: 'sentry-token', prefixes: ['sntrys_', 'sntryu_'], alphabet: TOKEN68, least: 40 },
  { kind: 'postman-key', prefixes: ['PMAK-'], alphabet: BASE64_URL, least: 40 },
  // Messaging and work.
  {
    kind: 'slack-token',
    prefixes: [
      'xoxb-',
      'xoxp-',
      'xoxa-',
      'xoxo-',
      'xoxr-',
      'xoxs-',
      'xoxc-',
      'xoxd-',
      'xoxe-',
      'xoxe.',
      'xapp-',
    ],
    alphabet: TOKEN68,
    least: 20,
  },
  { kind: 'slack-webhook', prefixes: ['hooks.slack.com/services/'], alphabet: BASE64, least: 30 },
  {
    kind: 'discord-webhook',
    prefixes: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    alphabet: PATH,
    least: 60,
  },
  // The bot's number precedes it.
  {
    kind: 'telegram-token',
    prefixes: [':AA'],
    alphabet: BASE64_URL,
    least: 32,
    after: (before) => /\d{6,12}$/.test(before),
  },
  // The base64 of the user's number precedes it.
  {
    kind: 'discord-token',
    prefixes: ['.'],
    alphabet: DOTTED,
    least: 33,
    after: (before) => /[MNO][\w-]{22,30}$/.test(before),
    isLikely: (body) => /^[\w-]{6}\.[\w-]{27,}$/.test(body) && /\d/.test(body),
  },
  { kind: 'notion-token', prefixes: ['ntn_'], alphabet: BASE62, least: 40, atWordStart: true },
  { kind: 'linear-key', prefixes: ['lin_api_', 'lin_oauth_'], alphabet: BASE62, least: 32 },
  { kind: 'figma-token', prefixes: ['figd_'], alphabet: BASE64_URL, least: 36, atWordStart: true },
  // Mail and telephone.
  { kind: 'sendgrid-key', prefixes: ['SG.'], alphabet: DOTTED, least: 50, atWordStart: true },
  { kind: 'twilio-key', prefixes: ['SK'], alphabet: HEX_LOWER, least: 32, most: 32, atWordStart: true },
  { kind: 'mailgun-key', prefixes: ['key-'], alphabet: HEX_LOWER, least: 32, most: 32, atWordStart: true },
  { kind: 'brevo-key', prefixes: ['xkeysib-'], alphabet: BASE64_URL, least: 60 },
  // Payment and shops.
  {
    kind: 'stripe-key',
    prefixes: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
    alphabet: BASE62,
    least: 16,
    atWordStart: true,
  },
  { kind: 'stripe-secret', prefixes: ['whsec_'], alphabet: BASE64, least: 24, atWordStart: true },
  {
    kind: 'shopify-token',
    prefixes: ['shpat_', 'shpss_', 'shpca_', 'shppa_'],
    alphabet: BASE62,
    least: 32,
  },
  { kind: 'square-token', prefixes: ['sq0atp-', 'sq0csp-'], alphabet: BASE64_URL, least: 22 },
  // Monitoring.
  { kind: 'grafana-token', prefixes: ['glc_', 'glsa_'], alphabet: TOKEN68, least: 32, atWordStart: true },
  { kind: 'new-relic-key', prefixes: ['NRAK-'], alphabet: BASE62, least: 24 },
  { kind: 'dynatrace-token', prefixes: ['dt0c01.', 'dt0s01.'], alphabet: DOTTED, least: 60 },
  { kind: 'tailscale-key', prefixes: ['tskey-'], alphabet: BASE64_URL, least: 20 },
  { kind: 'doppler-token', prefixes: ['dp.pt.', 'dp.st.', 'dp.ct.'], alphabet: DOTTED, least: 36 },
  { kind: '1password-token', prefixes: ['ops_eyJ'], alphabet: BASE64_URL, least: 60 },
  // File encryption.
  { kind: 'age-key', prefixes: ['AGE-SECRET-KEY-1', 'AGE-PLUGIN-'], alphabet: UPPER_DIGITS, least: 50 },
];

export const tokenFormats: readonly SecretFormat[] = TOKEN_FORMATS.map(
  ({ kind, prefixes, atWordStart, after, ...shape }) => ({
    anchors: prefixes,
    holds: true,
    open: ({ before, start }) => {
      if (atWordStart === true && !isWordStart(before)) return undefined;
      if (after?.(before) === false) return undefined;
      return new TokenCandidate(kind, start, shape);
    },
  }),
);
