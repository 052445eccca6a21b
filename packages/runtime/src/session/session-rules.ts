import type { SessionLog } from '@bulkhead/log/session/session-log';
import { BulkheadError } from '@bulkhead/protocol';
import { pinnedRulesOf, RULES_MARK } from '@bulkhead/sessions';
import type { Sessions } from './sessions.ts';

const MAX_RULES = 20;
const MAX_RULE_CHARACTERS = 500;
/** The part of a conversation that is read before all of it. */
const RECENT_BYTES = 256 * 1024;

/**
 * Rules that a person pinned to a session [K7]. Each change is one mark with all rules in force; a compaction carries them word for
 * word. Only clients reach this: no message, file, model or summary can pin anything.
 */
export class SessionRules {
  readonly #sessions: Pick<Sessions, 'actor' | 'session'>;
  readonly #log: SessionLog;

  constructor(sessions: Pick<Sessions, 'actor' | 'session'>, log: SessionLog) {
    this.#sessions = sessions;
    this.#log = log;
  }

  list(sessionId: string): readonly string[] {
    const { leaf } = this.#sessions.session(sessionId);
    const { entries, whole } = this.#log.store.recentBranch(sessionId, leaf, RECENT_BYTES);
    const known = pinnedRulesOf(entries);
    if (known !== undefined || whole) return known ?? [];
    return pinnedRulesOf(this.#log.store.branch(sessionId, leaf)) ?? [];
  }

  /** @throws BulkheadError `usage` for an empty or long rule, or one too many; `busy` */
  pin(sessionId: string, rule: string): readonly string[] {
    const text = rule.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
    if (text === '')
      throw new BulkheadError('usage', 'a rule needs words', {
        fix: 'Say what shall hold: `bulkhead sessions pin ID TEXT`.',
      });
    if ([...text].length > MAX_RULE_CHARACTERS) {
      throw new BulkheadError('usage', `a rule has at most ${MAX_RULE_CHARACTERS} characters`, {
        fix: 'It is sent with every request. Put longer text into a file that the rule names.',
      });
    }
    const rules = this.list(sessionId);
    if (rules.includes(text)) return rules;
    if (rules.length >= MAX_RULES) {
      throw new BulkheadError('usage', `${MAX_RULES} rules are pinned already`, { fix: 'Unpin one first.' });
    }
    return this.#set(sessionId, [...rules, text]);
  }

  /** @param number from 1, as `list` has them @throws BulkheadError `not_found`; `busy` */
  unpin(sessionId: string, number: number): readonly string[] {
    const rules = this.list(sessionId);
    if (rules[number - 1] === undefined) {
      throw new BulkheadError('not_found', `there is no pinned rule ${number}`, {
        fix: `See /pins in the chat, or \`bulkhead sessions pins ${sessionId}\`.`,
      });
    }
    return this.#set(
      sessionId,
      rules.filter((_, at) => at !== number - 1),
    );
  }

  #set(sessionId: string, rules: readonly string[]): readonly string[] {
    this.#sessions.actor(sessionId).needIdle('change its pinned rules');
    const { leaf } = this.#sessions.session(sessionId);
    const { id, record } = this.#log.mark(leaf, {
      type: 'custom',
      body: { name: RULES_MARK, data: { rules: [...rules] } },
    });
    this.#log.append(sessionId, [record], { leaf: id });
    return rules;
  }
}
