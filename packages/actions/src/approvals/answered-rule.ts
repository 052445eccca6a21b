import { createHash } from 'node:crypto';
import {
  type Action,
  APPROVAL_SCOPES,
  type ApprovalScope,
  type Verdict,
  visibleText,
} from '@bulkhead/protocol';

/** A rule of the user's own that allows exactly one thing, written when a person says yes for good [A6]. */
export interface AnsweredRule {
  /** The same for the same thing. */
  readonly name: string;
  readonly reason: string;
  readonly match: Readonly<Record<string, string | readonly string[]>>;
}

/** Longest pattern a policy takes. */
const MAX_PATTERN = 1024;

/**
 * How far a yes to an action may reach. What flow, protection or doubt ask about is about this very action; a command that
 * can't be taken back may be allowed for the session, and only what the policy itself asks about, for good.
 *
 * @param verdict an escalation
 * @param fixed what asked whatever the policy says; undefined if nothing did
 * @param isTellable false for a rule that must not be written
 */
export function scopesOf(
  action: Action,
  verdict: Verdict,
  fixed: Verdict | undefined,
  isTellable: (rule: AnsweredRule) => boolean = () => true,
): readonly ApprovalScope[] {
  if (verdict.decision !== 'escalate') return [];
  if (verdict.ownYes === true) return ['once'];
  if (fixed !== undefined) return fixed.rule.startsWith('commands/') ? ['once', 'session'] : ['once'];
  const rule = answeredRule(action);
  return rule !== undefined && isTellable(rule) ? APPROVAL_SCOPES : ['once', 'session'];
}

/** By what a yes for the session is known: the thing, and the rules that asked about it. */
export function grantOf(action: Action, verdict: Verdict, fixed: Verdict | undefined): string {
  const thing = [matchOf(action) ?? action.hash, action.metadata.background === true];
  return JSON.stringify([...thing, verdict.rule, fixed?.rule ?? '']);
}

/** @returns undefined for an action no rule can name exactly */
export function answeredRule(action: Action): AnsweredRule | undefined {
  const match = matchOf(action);
  if (match === undefined || action.metadata.background === true) return undefined;
  const texts = Object.values(match).flat();
  if (texts.some((text) => text.length > MAX_PATTERN)) return undefined;
  const id = createHash('sha256').update(JSON.stringify(match)).digest('hex').slice(0, 16);
  const reason = `a person allowed it for good on ${action.time.slice(0, 10)}`;
  return { name: `always-${id}`, reason, match };
}

/** The rule as it is written, in one line. JSON is YAML. */
export function ruleText({ name, reason, match }: AnsweredRule): string {
  return visibleText(JSON.stringify({ name, match, reason }), false);
}

/** Tool and command, or tool and paths, or tool and hosts: exactly these. */
function matchOf({ tool, metadata }: Action): AnsweredRule['match'] | undefined {
  const { command, paths, hosts = [], workingFolder, effect } = metadata;
  const host = hosts.length === 0 ? {} : { host: hosts };
  if (command !== undefined)
    return { tool, folder: escapeGlob(workingFolder), command: escapeGlob(command), ...host };
  const [access, other] = new Set(paths.map((path) => path.access));
  // A rule takes any of its accesses with any of its paths: two would allow more than was asked.
  if (other !== undefined) return undefined;
  if (access !== undefined) return { tool, path: paths.map(({ path }) => escapeGlob(path)), access, ...host };
  // What is sent to a host is no part of a rule: one yes would be a yes to any body and method.
  return hosts.length === 0 || effect !== 'pure' ? undefined : { tool, ...host };
}

/** A pattern that matches this text and no other. */
function escapeGlob(text: string): string {
  return text.replaceAll(/[\\*?[\]{}]/g, (character) => `\\${character}`);
}
