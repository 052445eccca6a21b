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
  if (decision === 'block') return hang('', `shield: blocked by ${by}: ${reason}`, width).map(style.danger);
  if (decision === 'escalate') return hang('', `shield: asks, by ${by}: ${reason}`, width).map(style.warning);
  const why = look.expanded && reason !== '' ? `: ${reason}` : '';
  return hang('', `shield: allowed by ${by}${why}`, width).map(style.dim);
}

function decisionLines({ decision, by, scope }: ApprovalDecision, { style }: Look, width: number): string[] {
  if (decision === 'deny') return hang('', `not allowed: ${WHO_DENIED[by]}`, width).map(style.danger);
  const reach = scope === undefined ? '' : REACH[scope];
  return hang('', `allowed by ${WHO_ALLOWED[by]}${reach}`, width).map(style.success);
}

const WHO_DENIED: Readonly<Record<ApprovalDecision['by'], string>> = {
  person: 'you said no',
  run_option: 'the run was started so',
  grant: 'you said so before',
  limit: 'too many questions, nobody is asked for a minute',
  timeout: 'nobody answered in time',
  nobody: 'nobody is there to ask',
  cancel: 'the run was cancelled',
  restart: 'the engine ended first, and asks again',
};

const WHO_ALLOWED: Readonly<Record<ApprovalDecision['by'], string>> = {
  person: 'you',
  run_option: 'the option the run was started with',
  grant: 'you, earlier in this session',
  limit: 'nobody',
  timeout: 'nobody',
  nobody: 'nobody',
  cancel: 'nobody',
  restart: 'nobody',
};

const REACH: Readonly<Record<NonNullable<ApprovalDecision['scope']>, string>> = {
  once: ', this once',
  session: ', for this session',
  always: ', from now on',
};
