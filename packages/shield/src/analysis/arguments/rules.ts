import type { PresetName } from '../../policy/presets.ts';
import type { Finding } from '../effects/finding.ts';

/**
 * The decision of each argument rule, by preset. `pass` gives no finding. An `asked` rule does not
 * apply where the user's own words name its target; a blocking rule always applies.
 */
interface Rule {
  readonly permissive: Finding['decision'] | 'pass';
  readonly default: Finding['decision'] | 'pass';
  readonly strict: Finding['decision'] | 'pass';
}

const BLOCK: Rule = { permissive: 'block', default: 'block', strict: 'block' };
const ASK: Rule = { permissive: 'escalate', default: 'escalate', strict: 'escalate' };
/**
 * For effects that the box contains or the chronicle undoes: asks, except under the permissive
 * preset.
 */
const BALANCED: Rule = { permissive: 'pass', default: 'escalate', strict: 'escalate' };
const STRICT_ONLY: Rule = { permissive: 'pass', default: 'pass', strict: 'escalate' };
const HARD: Rule = { permissive: 'escalate', default: 'block', strict: 'block' };

const RULES = {
  // The shape of the call.
  schema: BLOCK,
  'unlisted-argument': ASK,
  'unseen-content': ASK,
  'odd-structure': BLOCK,
  'unknown-tool': ASK,
  'not-judged': ASK,
  // Paths.
  credentials: BLOCK,
  'own-files': BLOCK,
  'private-data': BALANCED,
  'private-data-sent': HARD,
  'system-write': BALANCED,
  'start-up': HARD,
  'executed-later': ASK,
  'other-home': BALANCED,
  'other-home-write': HARD,
  'outside-write': BALANCED,
  'outside-delete': ASK,
  'deletes-root': BLOCK,
  'destroys-evidence': HARD,
  'security-setting': ASK,
  'profile-file': ASK,
  'disguised-path': HARD,
  // Destinations.
  'odd-scheme': BLOCK,
  'metadata-service': BLOCK,
  'internal-address': ASK,
  'raw-address': BALANCED,
  'lookalike-host': HARD,
  'foreign-script-host': ASK,
  'drop-service': ASK,
  'drop-service-filled': HARD,
  'login-in-url': ASK,
  'data-in-url': ASK,
  'file-in-url': ASK,
  'many-recipients': ASK,
  'odd-recipient': HARD,
  'lookalike-recipient': HARD,
  // Content.
  'secret-sent': BLOCK,
  'secret-written': BALANCED,
  'secret-kept': HARD,
  'credentials-handed-out': BLOCK,
  'credentials-mentioned': ASK,
  'private-handed-out': ASK,
  'payment-details': ASK,
  'reference-sent': ASK,
  'reference-sent-unasked': HARD,
  'database-sent': HARD,
  'substitution-sent': HARD,
  'encoded-content': ASK,
  'hidden-text': BLOCK,
  'invisible-characters': ASK,
  'request-gives-secrets': ASK,
  // Instructions to later agents.
  'credentials-asked-for': BLOCK,
  'safeguard-weakened': BLOCK,
  'hidden-from-user': BLOCK,
  'attack-named': BLOCK,
  'identity-rewritten': BLOCK,
  'data-sent-later': ASK,
  'data-sent-anywhere': HARD,
  'deletes-later': ASK,
  'destroys-later': HARD,
  'persists-later': ASK,
  'sensitive-place-later': ASK,
  'runs-unattended': BALANCED,
  publishes: ASK,
  'rewrites-history': ASK,
  'rewrites-history-unasked': HARD,
  'every-command': STRICT_ONLY,
} as const satisfies Record<string, Rule>;

export type ArgumentRule = keyof typeof RULES;

/** Returns the finding of a rule under a preset; none where the preset allows it. */
export function findingOf(rule: ArgumentRule, preset: PresetName, reason: string): readonly Finding[] {
  const decision = RULES[rule][preset];
  return decision === 'pass' ? [] : [{ decision, rule, reason }];
}
