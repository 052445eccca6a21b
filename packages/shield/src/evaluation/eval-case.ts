import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';

const record = z.record(z.string(), z.unknown());
const head = {
  id: z.string().min(1),
  suite: z.string().default(''),
  category: z.string().default(''),
  label: z.string().default(''),
  userMessage: z.unknown().transform(saidIn).optional(),
};
const step = z.object({
  tool: z.string(),
  args: record,
  result: z.string().optional(),
  attack: z.boolean().optional(),
});
const schema = z.union([
  z.object({ ...head, steps: z.array(step).max(10_000) }),
  z.object({ ...head, tool: z.string(), args: record }),
]);

/** One action of a case, and its result, if it was read before the next. */
export interface EvalStep {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result?: string | undefined;
}

/** A single action or a trace, as input of `shield eval`. */
export interface EvalCase {
  readonly id: string;
  readonly suite: string;
  readonly category: string;
  /** The user's message; absent if unknown. */
  readonly userMessage?: string | undefined;
  /** True if the case has `steps`: then each gets its own verdict. */
  readonly trace: boolean;
  readonly steps: readonly EvalStep[];
}

/**
 * Reads one line of a cases file. Ignores unknown keys: cases also carry labels and licences.
 * @param where for the error: file and line
 * @throws BulkheadError `usage`
 */
export function parseEvalCase(line: string, where: string): EvalCase {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new BulkheadError('usage', `${where} is not JSON`, { cause, fix: FIX });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new BulkheadError('usage', `${where} is no case: ${issue?.message ?? 'unknown shape'}`, {
      fix: FIX,
    });
  }
  const { id, suite, category, userMessage } = parsed.data;
  const common = { id, suite, category, userMessage };
  if ('steps' in parsed.data) return { ...common, trace: true, steps: parsed.data.steps };
  const { tool, args } = parsed.data;
  return { ...common, trace: false, steps: [{ tool, args }] };
}

const FIX = 'A case is {"id","tool","args"} or {"id","steps":[{"tool","args","result"}]}, one to a line.';

/**
 * The user's words: a text, several in turn, or the messages of several sessions; undefined if
 * unknown.
 */
function saidIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const parts = value.map(saidIn).filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts.join('\n');
  }
  return typeof value === 'object' && value !== null && 'messages' in value
    ? saidIn(value.messages)
    : undefined;
}
