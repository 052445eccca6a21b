import type { AuditInput } from '@bulkhead/audit';
import type { ApprovalMode } from '@bulkhead/protocol';
import {
  BulkheadError,
  type DurableEventBody,
  systemTimers,
  type ToolDescription,
  type ToolHostCall,
  type ToolResult,
  type Verdict,
} from '@bulkhead/protocol';
import type { ActionIntent } from '@bulkhead/protocol/records';
import { createRedaction } from '@bulkhead/shield';
import { ApprovalService } from '../approvals/approval-service.ts';
import type { ActionContext } from '../pipeline/action-context.ts';
import { ActionPipeline } from '../pipeline/action-pipeline.ts';
import type { PipelineParts } from '../pipeline/pipeline-parts.ts';
import { heldBackCommands, noLabels, noSnapshots } from './no-stages.ts';
import { testTokens } from './test-tokens.ts';

const write: ToolDescription = {
  name: 'write',
  description: '',
  group: 'files',
  readOnly: false,
  effect: 'idempotent',
  inputSchema: {},
  parse: (input) => {
    if (typeof input === 'object' && input !== null && 'path' in input)
      return {
        arguments: { ...input },
        effect: 'idempotent',
        paths: [{ path: String(input.path), access: 'write' }],
      };
    throw new BulkheadError('invalid_arguments', 'path is missing');
  },
};

const known = new Map([write, { ...write, name: 'edit' }].map((tool) => [tool.name, tool]));

export const CHANGES = [{ path: 'a', before: null, after: 'ff' }];

export const allow: Verdict = { decision: 'allow', tier: 0, rule: 'r', reason: 'fine', confidence: 1 };

/** The pipeline with parts that are real enough to observe the order of events. */
export function pipelineStage(
  parts: Partial<PipelineParts> = {},
  verdict: Verdict = allow,
  workingFolder = '/project',
) {
  const order: string[] = [];
  const audited: AuditInput[] = [];
  const events: DurableEventBody[] = [];
  const calls: ToolHostCall[] = [];
  let next = 0;
  const ids = () => {
    next += 1;
    return `id-${next}`;
  };
  const clock = { now: () => 1_000, monotonic: () => 0 };
  const approvals = new ApprovalService({
    clock,
    machine: { sinceBoot: () => clock.monotonic() },
    timers: systemTimers,
    ids,
    timeoutMs: 1_000,
    mayAnswer: () => true,
    remember: () => {},
  });
  const pipeline = new ActionPipeline({
    clock,
    timers: systemTimers,
    ids,
    tools: { get: (name) => known.get(name), names: () => [...known.keys()] },
    audit: {
      append: async (entries) => {
        audited.push(...entries);
        order.push(...entries.map(({ step }) => `audit ${step}`));
        return [];
      },
    },
    labels: noLabels,
    shield: {
      judge: async () => {
        order.push('judge');
        return verdict;
      },
    },
    approvals,
    tokens: testTokens(clock),
    snapshots: noSnapshots,
    hostOf: () => ({
      execute: async (call): Promise<ToolResult> => {
        calls.push(call);
        order.push('execute');
        return { text: 'done', isError: false };
      },
      plan: async () => ({ text: 'would write', isError: false, changes: CHANGES }),
      inspect: async () => [],
    }),
    redaction: createRedaction([]),
    ...heldBackCommands,
    placesOf: () => ({ home: '/home/u/.bulkhead', readableOutputs: '/home/u/.bulkhead/state/outputs/s' }),
    ...parts,
  });
  const intents: ActionIntent[] = [];
  const run = (
    argumentsJson: string,
    approve: ApprovalMode = 'deny',
    tool = 'write',
    fields: Partial<ActionContext> = {},
  ) =>
    pipeline.run(
      {
        sessionId: 's',
        runId: 'r',
        callId: 'c',
        tool,
        loaded: tool !== 'edit' || parts.tools !== undefined,
        argumentsJson,
        workingFolder,
      },
      {
        approve,
        requests: ['do it'],
        dryRun: false,
        offTheRecord: false,
        doubtful: new Set(),
        start: (event) => {
          events.push(event);
          order.push(event.type);
        },
        intend: (intent) => {
          intents.push(intent);
          order.push('intent');
        },
        signal: new AbortController().signal,
        stopping: new AbortController().signal,
        update: () => {},
        publish: (...published) => {
          events.push(...published);
          order.push(...published.map(({ type }) => type));
        },
        ...fields,
      },
    );
  return { pipeline, run, order, audited, events, calls, approvals, intents };
}
