import type { FlowPolicy } from '../../annotations/flow-policy.ts';
import { parseFlowPolicy } from '../../annotations/parse-flow-policy.ts';
import { shippedFlowPolicy } from '../../testing/shipped-flow.ts';
import type { FlowCall } from '../call.ts';
import { createFlow } from '../create-flow.ts';
import type { FlowRule, FlowSession } from '../flow-session.ts';
import type { FlowLabels } from '../kept-labels.ts';
import type { Label } from '../label.ts';
import { createLabelStore } from '../label-store.ts';

/**
 * A session with the product's own tools in the working folder `/w`, and short ways to record
 * events.
 */
export interface TestSession {
  readonly session: FlowSession;
  /** Returns the rules' decision about a call, as `decision rule`. */
  ask(tool: string, args: Readonly<Record<string, unknown>>): string;
  /** Records the result of an executed call. */
  got(tool: string, args: Readonly<Record<string, unknown>>, text: string, given?: Label): void;
}

export interface TestSessionOptions {
  readonly request?: string;
  readonly labels?: FlowLabels;
  readonly rules?: readonly FlowRule[];
  readonly inherited?: Label;
  /** YAML of further tools, under `tools:`. */
  readonly tools?: string;
  readonly policy?: FlowPolicy;
}

export function newLabels(): FlowLabels {
  return { files: createLabelStore(), stores: createLabelStore() };
}

export function openTestSession(options: TestSessionOptions = {}): TestSession {
  const policy = options.policy ?? parseFlowPolicy(shippedFlowPolicy, 'default');
  const more = parseFlowPolicy(`version: 1\ntools:\n${options.tools ?? '  []'}\n`, 'tools');
  const flow = createFlow(
    new Map([...policy.tools, ...more.tools]),
    policy,
    options.labels ?? newLabels(),
    options.rules,
  );
  const session = flow.open(undefined, options.inherited);
  if (options.request !== undefined) session.observeRequest(options.request);
  return {
    session,
    ask: (tool, args) => {
      const { decision, rule } = session.decide(callOf(tool, args));
      return `${decision} ${rule}`;
    },
    got: (tool, args, text, given) => session.observeResult(callOf(tool, args), text, given),
  };
}

/** A call in the engine's form: paths resolved against `/w`, hosts from the arguments. */
export function callOf(tool: string, args: Readonly<Record<string, unknown>>): FlowCall {
  const texts = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => (typeof args[name] === 'string' ? [args[name]] : []));
  const resolved = (path: string): string => (path.startsWith('/') ? path : `/w/${path}`);
  const written = texts(WRITTEN).filter(() => WRITES.has(tool));
  const read = texts([...WRITTEN, 'from', 'source']).filter((text) => !written.includes(text));
  const hosts = Array.isArray(args['hosts']) ? args['hosts'].map(String) : [];
  return {
    tool,
    arguments: args,
    metadata: {
      workingFolder: '/w',
      paths: [
        ...read.map((path) => ({ path: resolved(path), access: 'read' as const })),
        ...written.map((path) => ({ path: resolved(path), access: 'write' as const })),
      ],
      hosts,
    },
  };
}

const WRITTEN = ['path', 'to', 'destination'];
const WRITES: ReadonlySet<string> = new Set(['write', 'edit', 'move', 'copy', 'sheet_write', 'mkdir']);
