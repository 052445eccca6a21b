import { createHash } from 'node:crypto';
import {
  type Action,
  APPROVAL_SCOPES,
  type ApprovalScope,
  type Verdict,
  visibleText,
} from '@bulkhead/protocol';

/** A user rule that allows exactly one action, written for a permanent approval [A6]. */
export interface AnsweredRule {
  /** Equal for equal actions. */
  readonly name: string;
  readonly reason: string;
  readonly match: Readonly<Record<string, string | readonly string[]>>;
}

/** Longest pattern that a policy accepts. */
const MAX_PATTERN = 1024;

/**
 * How far an approval of an action may reach. If flow, protection or an unknown outcome asked, the
 * approval covers only this action. A command that cannot be undone may be allowed for the session.
 * Only questions of the policy itself allow a permanent approval.
 *
 * @param verdict an escalation
 * @param fixed the check that asked regardless of the policy; undefined if none did
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

/** Key of an approval for the session: the action and the rules that asked about it. */
export function grantOf(action: Action, verdict: Verdict, fixed: Verdict | undefined): string {
  const sender = action.origin?.sender.id ?? '';
  const thing = [matchOf(action) ?? action.hash, action.metadata.background === true, sender];
  return JSON.stringify([...thing, verdict.rule, fixed?.rule ?? '']);
}

/** @returns undefined for an action that no rule can name exactly */
export function answeredRule(action: Action): AnsweredRule | undefined {
  const thing = matchOf(action);
  const { origin } = action;
  // An answer to one sender's question is none to another's.
  const match = thing && { ...thing, ...(origin === undefined ? {} : { sender: origin.sender.id }) };
  if (match === undefined || action.metadata.background === true) return undefined;
  const texts = Object.values(match).flat();
  if (texts.some((text) => text.length > MAX_PATTERN)) return undefined;
  const id = createHash('sha256').update(JSON.stringify(match)).digest('hex').slice(0, 16);
  const reason = `a person allowed it permanently on ${action.time.slice(0, 10)}`;
  return { name: `always-${id}`, reason, match };
}

/** The rule as one written line. JSON is valid YAML. */
export function ruleText({ name, reason, match }: AnsweredRule): string {
  return visibleText(JSON.stringify({ name, match, reason }), false);
}

/** Matches exactly this tool with its command, its paths or its hosts. */
function matchOf({ tool, metadata }: Action): AnsweredRule['match'] | undefined {
  const { command, paths, hosts = [], workingFolder, effect } = metadata;
  const host = hosts.length === 0 ? {} : { host: hosts };
  if (command !== undefined)
    return { tool, folder: escapeGlob(workingFolder), command: escapeGlob(command), ...host };
  const [access, other] = new Set(paths.map((path) => path.access));
  // A rule allows every listed access on every listed path: two accesses would allow more than was
  // asked.
  if (other !== undefined) return undefined;
  if (access !== undefined) return { tool, path: paths.map(({ path }) => escapeGlob(path)), access, ...host };
  // A rule does not cover the content sent to a host: one approval would allow any body and method.
  return hosts.length === 0 || effect !== 'pure' ? undefined : { tool, ...host };
}

/** A pattern that matches only this text. */
function escapeGlob(text: string): string {
  return text.replaceAll(/[\\*?[\]{}]/g, (character) => `\\${character}`);
}
