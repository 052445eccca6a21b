import type { ArgumentRole, EffectKind } from '@bulkhead/protocol';
import { nameParts } from './infer-effect.ts';

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Parts of an argument's name, by the role they suggest. The first match decides. */
const ROLES: readonly (readonly [ArgumentRole, ReadonlySet<string>])[] = [
  ['credential', set('password passwd passphrase pin secret token key')],
  ['url', set('url uri link href website webpage endpoint')],
  ['host', set('host hostname domain server')],
  ['amount', set('amount sum price total cost quantity value')],
  [
    'plain',
    set(
      'date time day month year start end begin from_date timezone limit offset page size count format sort order language recurring permission',
    ),
  ],
  [
    'content',
    set(
      'body content subject text message title description note notes comment location caption html filename',
    ),
  ],
  [
    'recipient',
    set(
      'recipient recipients to cc bcc email emails address addresses iban account user users username participant participants attendee attendees guest guests member members payee beneficiary phone number channel room group contact',
    ),
  ],
  ['command', set('command cmd shell')],
  ['code', set('code script sql expression')],
  ['task', set('task prompt instruction instructions goal')],
  ['object', set('id ids uuid attachment attachments file files document event ticket issue item name')],
  ['query', set('query search filter keyword keywords term terms q')],
];

/**
 * Returns the role of an argument, from its name, its type and the start of its description. An
 * unclear argument is an `object` where it selects the target (a booking), else `content`.
 */
export function inferRole(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  effect: EffectKind,
): ArgumentRole {
  const parts = nameParts(name);
  if (effect === 'read') return parts.includes('path') ? 'path-read' : 'query';
  if (schema['type'] === 'boolean' || Array.isArray(schema['enum'])) return 'plain';
  return roleOfShape(parts, effect) ?? roleOfWords(parts, schema['description'], effect);
}

function roleOfShape(parts: readonly string[], effect: EffectKind): ArgumentRole | undefined {
  if (/^ids?$/u.test(parts.at(-1) ?? '')) return 'object';
  if (parts.includes('path')) return effect === 'delete' ? 'path-delete' : 'path-write';
  // For sharing, a channel is the object to which a person gets access; for messages, it is the
  // recipient.
  return effect === 'share' && (parts.includes('channel') || parts.includes('group')) ? 'object' : undefined;
}

function roleOfWords(parts: readonly string[], description: unknown, effect: EffectKind): ArgumentRole {
  const role =
    ROLES.find(([, words]) => parts.some((part) => words.has(part)))?.[0] ?? roleOfText(description);
  // An account action affects the user's own account: new values must be the user's words.
  if (effect === 'account') return role === 'plain' ? 'plain' : 'credential';
  return role ?? (effect === 'book' ? 'object' : 'content');
}

function roleOfText(description: unknown): ArgumentRole | undefined {
  const words = typeof description === 'string' ? nameParts(description).slice(0, 6) : [];
  return words.some((word) => ['iban', 'recipient', 'email'].includes(word)) ? 'recipient' : undefined;
}
