import type { EngineLink } from '@bulkhead/client';
import { ApprovalService } from '../conversation/approval-service.ts';
import { type Environment, hasPerson } from '../environment.ts';
import type { Output } from '../output/output.ts';
import type { PromptLine } from './prompt-line.ts';

/** A service that asks the person at the prompt. @returns undefined if no one types there */
export function approvalsAtPrompt(
  link: EngineLink,
  environment: Environment,
  output: Output,
  prompt: PromptLine,
): ApprovalService | undefined {
  if (!hasPerson(environment)) return undefined;
  return new ApprovalService({
    link,
    output,
    ask: (question, signal) => prompt.ask(question, signal),
    keep: (text) => (prompt.keep(text) === 'draft' ? 'What you typed is kept until then.' : ''),
  });
}
