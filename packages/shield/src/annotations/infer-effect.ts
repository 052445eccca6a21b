import type { EffectKind } from '@bulkhead/protocol';

/** A server's description of a tool: its name, a sentence, and a JSON Schema of its arguments. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Verbs at the start of tool names, by effect. For a verb in two sets, the first set decides. */
const VERBS: readonly (readonly [EffectKind, ReadonlySet<string>])[] = [
  [
    'read',
    set(
      'get list search find read show view check lookup query describe count fetch load retrieve browse inspect',
    ),
  ],
  ['pay', set('pay transfer refund wire buy purchase donate charge withdraw')],
  ['send', set('send reply forward email mail message notify sms text call respond')],
  ['share', set('share invite grant allow permit')],
  ['publish', set('publish post upload push tweet deploy release submit')],
  ['book', set('book reserve order rent')],
  ['delete', set('delete remove cancel clear trash erase revoke unsubscribe drop purge')],
  ['execute', set('run execute exec eval invoke')],
  ['schedule', set('schedule automate')],
  ['delegate', set('spawn delegate')],
  ['remember', set('remember memorize memorise')],
  ['configure', set('configure enable disable')],
  ['create', set('create add make write save insert draft new register generate copy duplicate')],
  [
    'change',
    set('update edit change modify move rename reschedule append set replace mark archive put patch'),
  ],
];

const MONEY = set('money payment transaction transfer invoice funds payout');
const ACCOUNT = set('password account profile user credentials email settings info information');
const PEOPLE = set(
  'user users member members participant participants guest guests attendee attendees collaborator collaborators',
);

/** Returns the parts of a name in any spelling: `sendEmail`, `send_email`, `send-email`. */
export function nameParts(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((part) => part !== '');
}

/** Returns the effect class of a definition; `change`, which asks, if nothing indicates one. */
export function inferEffect({ name, inputSchema }: ToolDefinition): EffectKind {
  const parts = nameParts(name);
  const found = parts.map(effectOfVerb).find((effect) => effect !== undefined) ?? 'change';
  const has = (words: ReadonlySet<string>): boolean => parts.some((part) => words.has(part));
  if (found === 'read') return hasUrl(inputSchema) ? 'fetch' : 'read';
  if (['send', 'schedule', 'create'].includes(found) && has(MONEY)) return 'pay';
  if (found === 'create' && parts.includes('add') && has(PEOPLE)) return 'share';
  if (found === 'create' && has(PEOPLE)) return 'account';
  if (found === 'change' && has(ACCOUNT)) return 'account';
  return found;
}

function effectOfVerb(part: string): EffectKind | undefined {
  return VERBS.find(([, verbs]) => verbs.has(part))?.[0];
}

function hasUrl({ properties }: ToolDefinition['inputSchema']): boolean {
  if (typeof properties !== 'object' || properties === null) return false;
  return Object.keys(properties).some((name) =>
    nameParts(name).some((part) => /^(?:url|uri|link|href)s?$/u.test(part)),
  );
}
