import type { ListedEntry } from '@bulkhead/engine/offline/audit';
import type { SessionEvent } from '@bulkhead/protocol';

/** A step of an action in words. */
export interface ToldStep {
  readonly time: string;
  readonly step: string;
  readonly text: string;
  /** Of a verdict: why, if the session's log still has it. */
  readonly reason?: string;
}

type Facts = Readonly<Record<string, unknown>>;
type VerdictEvent = Extract<SessionEvent, { type: 'shield_verdict' }>;

/**
 * Tells the steps of one action, oldest first. The audit log says what was decided and by which rule; the reasons
 * are in the session's log only.
 *
 * @param entries of the audit log, of this action
 * @param events of the session's log; empty if it is gone, or without an engine
 */
export function verdictLines(
  entries: readonly ListedEntry[],
  events: readonly SessionEvent[],
): readonly ToldStep[] {
  const action = entries[0]?.action;
  const verdicts = events.filter(
    (event): event is VerdictEvent => event.type === 'shield_verdict' && event.action === action,
  );
  return entries.map(({ time, step, details }) => {
    const facts: Facts = typeof details === 'object' && details !== null ? { ...details } : {};
    const told = { time, step, text: TOLD[step]?.(facts) ?? allOf(facts) };
    const at = step === 'EVALUATED' ? verdicts.findIndex((verdict) => isOf(verdict, facts)) : -1;
    const [verdict] = at === -1 ? [] : verdicts.splice(0, at + 1).slice(-1);
    return verdict === undefined ? told : { ...told, reason: verdict.reason };
  });
}

/** Events come in the order of the entries. An entry about a lack names no rule. */
function isOf({ decision, rule }: VerdictEvent, facts: Facts): boolean {
  return decision === facts['decision'] && (facts['rule'] === undefined || facts['rule'] === rule);
}

const TOLD: Readonly<Record<string, (facts: Facts) => string>> = {
  PROPOSED: (facts) => {
    const asked = `proposed by the model, for ${word(facts, 'sender', 'someone')} over ${word(facts, 'channel', 'an unknown channel')}`;
    const uses = [...words(facts, 'paths'), ...words(facts, 'hosts').map((host) => `reach ${host}`)];
    const given = [
      ...words(facts, 'granted').map((host) => `reach ${host}`),
      ...words(facts, 'toolchains').map((folder) => `run programs in ${folder}`),
      ...words(facts, 'folders').map((folder) => `read ${folder}`),
      ...words(facts, 'secretFiles').map((file) => `read ${file}`),
    ];
    const allowed = given.length === 0 ? '' : `; by a grant it may ${given.join(', ')}`;
    return `${asked}${uses.length === 0 ? '' : `; it would ${uses.join(', ')}`}${allowed}`;
  },
  EVALUATED: (facts) => {
    const decision = word(facts, 'decision', 'unknown');
    const by = word(facts, 'rule', '');
    const rule = by === '' ? '' : ` by ${by}`;
    switch (facts['about']) {
      case undefined:
        return `judged: ${decision}${rule} (tier ${word(facts, 'tier', '?')})`;
      case 'effects':
        return `its ${word(facts, 'changes', '?')} changes, judged before they were kept: ${decision}${rule}`;
      case 'needs':
        return `it lacked ${words(facts, 'targets').join(', ')}: ${decision}${rule}`;
      default:
        return `${word(facts, 'about', '')}: ${decision}${rule}`;
    }
  },
  APPROVED: (facts) => {
    const scope = word(facts, 'scope', '');
    return `approved by ${who(facts)}${scope === '' ? '' : `, for: ${scope}`}`;
  },
  DENIED: (facts) => `denied by ${who(facts)}`,
  DESCRIBED: () => 'described only: this was a dry run',
  STARTED: () => 'begun',
  EXECUTED: (facts) => `done; its result has ${word(facts, 'bytes', '?')} bytes`,
  FAILED: (facts) => {
    const reason = word(facts, 'reason', '');
    return reason === '' ? 'failed: the result says how' : `failed: ${reason}`;
  },
  REFUSED: (facts) => `refused: ${word(facts, 'reason', 'no reason was recorded')}`,
  RECOVERED: (facts) => `found open after a stop of the engine: ${word(facts, 'fate', 'unknown')}`,
};

function who(facts: Facts): string {
  return word(facts, 'approver', word(facts, 'by', 'someone'));
}

function word(facts: Facts, name: string, otherwise: string): string {
  const value = facts[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;
}

function words(facts: Facts, name: string): readonly string[] {
  const value = facts[name];
  return Array.isArray(value) ? value.map(String) : [];
}

function allOf(facts: Facts): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');
}
