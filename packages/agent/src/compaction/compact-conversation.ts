import type { Message } from '@bulkhead/protocol/chat';
import { userMessage } from '../loop/message-parts.ts';
import type { CompactRequest } from './compact-request.ts';
import { COMPACTION_SYSTEM, FACTS_QUESTION, recordText, summaryQuestion } from './compaction-prompts.ts';
import { readFacts } from './facts.ts';
import { planCompaction } from './plan-compaction.ts';

/** One question to the summarizing model. */
export interface CompactionQuestion {
  readonly purpose: 'facts' | 'summary';
  readonly system: string;
  readonly messages: readonly Message[];
}

/**
 * Asks a model for durable facts and for a summary of the old part of a conversation [K1].
 * `assembleCompaction` adds the code's share of the summary.
 *
 * @param ask returns the text of the model's answer; a rejection for the facts loses only them
 * @returns the model's answers; undefined if there is nothing to gain
 */
export async function compactConversation(
  request: CompactRequest,
  ask: (question: CompactionQuestion) => Promise<string>,
): Promise<{ readonly summary: string; readonly facts: readonly string[] } | undefined> {
  const plan = planCompaction(request);
  if (plan === undefined) return undefined;
  const record = recordText(request, plan);
  const answerTo = (purpose: CompactionQuestion['purpose'], question: string): Promise<string> =>
    ask({ purpose, system: COMPACTION_SYSTEM, messages: [record, question].map(userMessage) });
  const found = request.facts ? await answerTo('facts', FACTS_QUESTION).catch(() => '') : '';
  return { facts: readFacts(found), summary: await answerTo('summary', summaryQuestion(request)) };
}
