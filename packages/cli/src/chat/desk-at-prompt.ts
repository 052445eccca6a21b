import type { EngineLink } from '@bulkhead/client';
import { ApprovalDesk } from '../conversation/approval-desk.ts';
import { type Environment, hasPerson } from '../environment.ts';
import type { Output } from '../output/output.ts';
import type { PromptLine } from './prompt-line.ts';

/** A desk that asks where a person types. @returns undefined if nobody does */
export function deskAtPrompt(
  link: EngineLink,
  environment: Environment,
  output: Output,
  prompt: PromptLine,
): ApprovalDesk | undefined {
  if (!hasPerson(environment)) return undefined;
  return new ApprovalDesk({
    link,
    output,
    ask: (question, signal) => prompt.ask(question, signal),
    keep: (text) => (prompt.keep(text) === 'draft' ? 'What you typed is kept until then.' : ''),
  });
}
