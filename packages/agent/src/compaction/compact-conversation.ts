import { create } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { type CompactRequest, ModelRequestSchema } from '@bulkhead/protocol/agent';
import { Cancellation, Cancelled } from '../loop/cancellation.ts';
import type { LoopResults } from '../loop/loop-ports.ts';
import { textOf, userMessage } from '../loop/message-parts.ts';
import { askModel, ModelRequestFailed } from '../loop/model-answer.ts';
import type { CompactionEnd, CompactionEvent } from './compaction-event.ts';
import { COMPACTION_SYSTEM, FACTS_QUESTION, recordText, summaryQuestion } from './compaction-prompts.ts';
import { readFacts } from './facts.ts';
import { planCompaction } from './plan-compaction.ts';

/** Longest answer that is handed on, in characters: more is no summary. */
const MAX_ANSWER = 64_000;

/** Where a compaction gets its model answers and says what it found. */
export interface CompactionPorts {
  /** Must not throw. */
  emit(event: CompactionEvent): void;
  readonly results: Pick<LoopResults, 'model'>;
  readonly signal: AbortSignal;
}

/**
 * Makes a conversation shorter [K1]: asks a model for durable facts and for a summary of the old part. What code carries is added
 * by `assembleCompaction`, where the conversation is kept: nobody has to believe the process this runs in.
 *
 * @returns once exactly one `CompactionEnd` was emitted; never rejects
 */
export async function compactConversation(request: CompactRequest, ports: CompactionPorts): Promise<void> {
  using cancellation = new Cancellation(ports.signal);
  ports.emit(await ended(request, ports, cancellation));
}

async function ended(
  request: CompactRequest,
  ports: CompactionPorts,
  cancellation: Cancellation,
): Promise<CompactionEnd> {
  try {
    return await compact(request, ports, cancellation);
  } catch (error) {
    if (error instanceof Cancelled) return { type: 'error', code: 'cancelled', message: 'cancelled' };
    if (error instanceof ModelRequestFailed)
      return { type: 'error', code: error.code, message: error.message };
    const { code, message } = BulkheadError.from(error);
    return { type: 'error', code, message };
  }
}

async function compact(
  request: CompactRequest,
  ports: CompactionPorts,
  cancellation: Cancellation,
): Promise<CompactionEnd> {
  const plan = planCompaction(request);
  if (plan === undefined) return { type: 'compacted', answer: '' };
  const record = recordText(request, plan);
  const ask = (purpose: string, question: string): Promise<string> =>
    answerTo(request, purpose, [record, question], ports, cancellation);
  if (request.facts) {
    const facts = readFacts(await ask('facts', FACTS_QUESTION).catch(withoutFacts));
    if (facts.length > 0) ports.emit({ type: 'facts', facts });
  }
  const answer = await ask('summary', summaryQuestion(request));
  return { type: 'compacted', answer: answer.slice(0, MAX_ANSWER) };
}

async function answerTo(
  { requestId, outputTokens }: CompactRequest,
  purpose: string,
  texts: readonly string[],
  ports: CompactionPorts,
  cancellation: Cancellation,
): Promise<string> {
  const request = create(ModelRequestSchema, {
    requestId: `${requestId}:${purpose}`,
    system: COMPACTION_SYSTEM,
    messages: texts.map(userMessage),
    forbidTools: true,
    maxOutputTokens: outputTokens,
    purpose,
  });
  // Words as they stream are nobody's here: only the whole answer is read.
  const emit: Parameters<typeof askModel>[1]['emit'] = (event) => {
    if (event.type === 'model_request') ports.emit(event);
  };
  const { message } = await askModel(request, { emit, results: ports.results }, cancellation, () => {});
  return textOf(message);
}

/** A summary is worth having without facts; a compaction that was cancelled is not. */
function withoutFacts(error: unknown): string {
  if (error instanceof Cancelled) throw error;
  return '';
}
