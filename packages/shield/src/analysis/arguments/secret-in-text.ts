import { entropyOf } from './decode-text.ts';

/** Formats by which issuers mark their secrets, so that a reader can tell (their documentation of key formats). */
const FORMATS: readonly (readonly [kind: string, format: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]{2,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/],
  ['an AWS key', /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60})/],
  ['a GitLab token', /\bgl(?:pat|ptt|rt|dt|cbt|soat)-[\w-]{20}/],
  ['a Slack token', /\bxox[abeoprs]-[\w-]{10}/],
  ['a Slack webhook', /hooks\.slack\.com\/services\/T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{20}/],
  ['a model provider key', /\bsk-(?:ant-|proj-|or-v1-|svcacct-)?[\w-]{24}/],
  ['a Google key', /\bAIza[\w-]{35}/],
  ['a Google token', /\bya29\.[\w-]{20}/],
  ['a Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}/],
  ['a PyPI token', /\bpypi-[\w-]{40}/],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{30}/],
  ['a SendGrid key', /\bSG\.[\w-]{16,24}\.[\w-]{32}/],
  ['a Telegram token', /\b\d{8,10}:AA[\w-]{32}/],
  ['a DigitalOcean token', /\bdo[opr]_v1_[0-9a-f]{40}/],
  ['an age key', /\bAGE-SECRET-KEY-1[A-Z0-9]{50}/],
  ['a signed token', /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10}/],
  ['a password hash', /\$(?:1|2[abxy]|5|6|y|argon2id?)\$[\w./$=,-]{16}/],
];

/** `NAME=value` and `"name": "value"`, where the name says that the value is secret. */
const ASSIGNMENT =
  /(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|auth(?:orization)?|credential)s?\\?["']?\s{0,4}(?:=|:|=>)\s{0,4}(?:Bearer |Basic )?\\?["']?([^\s"',;<>{}()\\]{8,200})/gi;
const PLACEHOLDER =
  /^(?:[x*.•_-]+|.*(?:example|placeholder|changeme|your[-_]|redacted|process\.env|os\.environ|<|\$\{|\{\{).*)$/i;
/** Bits per character; words and names lie below. */
const RANDOM = 3.2;

/**
 * Names the first secret in a text, by format or by an assignment to a secret's name.
 * @returns what it is, without the secret itself
 */
export function secretIn(text: string): string | undefined {
  const format =
    FORMATS.find(([, pattern]) => pattern.test(text)) ?? (text.includes('://') ? loginIn(text) : undefined);
  if (format !== undefined) return format[0];
  for (const [, value] of text.matchAll(ASSIGNMENT)) {
    if (value === undefined || PLACEHOLDER.test(value)) continue;
    if (/\d/.test(value) && /[a-z]/i.test(value) && entropyOf(value) >= RANDOM)
      return 'a value that is called secret';
  }
  return undefined;
}

function loginIn(text: string): readonly [string] | undefined {
  return /:\/\/[^\s/:@]{1,64}:[^\s/@]{4,128}@[\w.-]/.test(text) ? ['a login in an address'] : undefined;
}
