import {
  type ApprovalDecision,
  judgeName,
  type ToolItem,
  type ToolVerdict,
} from '@bulkhead/protocol/transcript';
import { hang } from '../look/fit.ts';
import type { Look } from '../look/look.ts';

/** The shield's verdict on a call, and the person's decision. */
export function verdictLines({ verdicts, decided }: ToolItem, look: Look, width: number): string[] {
  const told = decided === undefined ? [] : decisionLines(decided, look, width);
  return [...verdicts.flatMap((verdict) => oneVerdict(verdict, look, width)), ...told];
}

function oneVerdict({ decision, tier, rule, reason }: ToolVerdict, look: Look, width: number): string[] {
  const { style } = look;
  const name = judgeName(tier);
  const by = rule === name ? rule : `${rule} (${name})`;
  if (decision === 'block') return hang('', `blocked: ${reason} · ${by}`, width).map(style.danger);
  if (decision === 'escalate') return hang('', `needs approval: ${reason} · ${by}`, width).map(style.warning);
  const why = look.expanded && reason !== '' ? `: ${reason}` : '';
  return hang('', `allowed by ${by}${why}`, width).map(style.dim);
}

function decisionLines({ decision, by, scope }: ApprovalDecision, { style }: Look, width: number): string[] {
  if (decision === 'deny') return hang('', `not allowed: ${WHO_DENIED[by]}`, width).map(style.danger);
  const reach = scope === undefined ? '' : REACH[scope];
  return hang('', `allowed by ${WHO_ALLOWED[by]}${reach}`, width).map(style.success);
}

const WHO_DENIED: Readonly<Record<ApprovalDecision['by'], string>> = {
  person: 'you denied it',
  run_option: 'an option of the run',
  grant: 'your earlier answer',
  limit: 'too many approvals: no new ones for a minute',
  timeout: 'no answer in time',
  nobody: 'no one can approve it',
  cancel: 'the run was cancelled',
  restart: 'the engine stopped first and asks again',
};

const WHO_ALLOWED: Readonly<Record<ApprovalDecision['by'], string>> = {
  person: 'you',
  run_option: 'an option of the run',
  grant: 'you, earlier in this session',
  limit: 'no one',
  timeout: 'no one',
  nobody: 'no one',
  cancel: 'no one',
  restart: 'no one',
};

const REACH: Readonly<Record<NonNullable<ApprovalDecision['scope']>, string>> = {
  once: ', once',
  session: ', for this session',
  always: ', from now on',
};
