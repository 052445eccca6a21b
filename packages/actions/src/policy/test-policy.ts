import {
  type Action,
  BulkheadError,
  SECRECY_LEVELS,
  type ToolDescription,
  type Verdict,
} from '@bulkhead/protocol';
import {
  explainPolicy,
  type HandedOn,
  type PassedRule,
  type Policy,
  type PolicyFacts,
  SESSION_MODES,
  TRUST_LEVELS,
} from '@bulkhead/shield';
import { everyTool } from '@bulkhead/tools';
import * as z from 'zod';
import { buildAction } from '../pipeline/canonical-action.ts';

const path = z.strictObject({
  path: z.string(),
  named: z.string().optional(),
  access: z.enum(['read', 'write']),
});
const strings = z.array(z.string());

/**
 * An action to test a policy with. Missing fields are derived from the tool, as the engine does.
 */
const questionSchema = z.strictObject({
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.json()).default({}),
  workingFolder: z.string().optional(),
  paths: z.array(path).optional(),
  hosts: strings.optional(),
  command: z.string().optional(),
  group: z.string().optional(),
  channel: z.string().optional(),
  sender: z.string().optional(),
  profile: z.string().optional(),
  sessionMode: z.array(z.enum(SESSION_MODES)).min(1).optional(),
  taint: z
    .strictObject({
      secrecy: z.enum(SECRECY_LEVELS),
      trust: z.enum(TRUST_LEVELS),
    })
    .optional(),
  time: z.iso.datetime({ offset: true }).optional(),
  expect: z.enum(['allow', 'block', 'escalate', 'next']).optional(),
});

export type PolicyQuestion = z.output<typeof questionSchema>;

/** The decision of a policy, and why other rules did not match. */
export interface PolicyAnswer {
  readonly tool: string;
  /** `next`: this tier does not decide; the next tier or a person does. */
  readonly decision: Verdict['decision'] | 'next';
  /** Empty if no rule matched. */
  readonly rule: string;
  readonly reason: string;
  /** With `next`: the first tier whose allow is final. */
  readonly minTier?: HandedOn['minTier'];
  /** Rules tried before, each with the first condition that failed. */
  readonly passed: readonly PassedRule[];
  /** The facts of the action, as the engine derives them. */
  readonly metadata: Action['metadata'];
}

/** @throws BulkheadError `usage` for a value that describes no action */
export function readQuestion(value: unknown): PolicyQuestion {
  const parsed = questionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw new BulkheadError('usage', `that describes no action: ${at}${issue?.message ?? 'not valid'}`, {
    fix: 'Write for example {"tool":"bash","arguments":{"command":"ls"}}; see `bulkhead policy --help`.',
  });
}

/**
 * Evaluates one policy for one action: no engine, no other tier, no effect.
 *
 * @param action of the question
 * @param facts of the environment; the question's own facts take precedence
 */
export function testPolicy(
  policy: Policy,
  action: Action,
  question: PolicyQuestion,
  facts: PolicyFacts = {},
): PolicyAnswer {
  const { verdict, handedOn, passed } = explainPolicy(policy, action, { ...facts, ...factsOf(question) });
  const { tool, metadata } = action;
  const said = verdict ?? handedOn ?? { rule: '', reason: `no rule of policy ${policy.name} matches` };
  return {
    tool,
    decision: verdict?.decision ?? 'next',
    rule: said.rule,
    reason: said.reason,
    ...(handedOn === undefined ? {} : { minTier: handedOn.minTier }),
    passed,
    metadata,
  };
}

function factsOf({ channel, sender, profile, sessionMode, taint, time }: PolicyQuestion): PolicyFacts {
  return {
    ...(channel === undefined ? {} : { channel }),
    ...(sender === undefined ? {} : { sender }),
    ...(profile === undefined ? {} : { profile }),
    ...(sessionMode === undefined ? {} : { modes: sessionMode }),
    ...(taint === undefined ? {} : { taint }),
    ...(time === undefined ? {} : { now: Date.parse(time) }),
  };
}

/**
 * Builds the action of a question, as the engine would.
 *
 * @param folder working folder if the question names none, absolute
 * @throws BulkheadError `invalid_arguments` if a tool of the product would refuse these arguments
 */
export function questionAction(question: PolicyQuestion, folder: string): Action {
  const { tool: name, paths, hosts, command, group } = question;
  const tool = everyTool.find((each) => each.name === name) ?? unknownTool(name);
  const action = buildAction(
    {
      sessionId: '',
      runId: '',
      callId: '',
      tool: name,
      workingFolder: question.workingFolder ?? folder,
    },
    tool,
    tool.parse(question.arguments),
    { id: '', time: 0 },
  );
  const metadata = {
    ...action.metadata,
    ...(paths === undefined ? {} : { paths: paths.map(definedOf) }),
    ...(hosts === undefined ? {} : { hosts: hosts.map((host) => host.toLowerCase()) }),
    ...(command === undefined ? {} : { command }),
    ...(group === undefined ? {} : { group }),
  };
  return { ...action, metadata };
}

function definedOf({ path: at, named, access }: z.output<typeof path>): Action['metadata']['paths'][number] {
  return named === undefined ? { path: at, access } : { path: at, named, access };
}

/** A tool from elsewhere (an MCP server, for example): nothing is known of its arguments. */
function unknownTool(name: string): ToolDescription {
  return {
    name,
    description: '',
    group: '',
    readOnly: false,
    effect: 'once',
    inputSchema: {},
    parse: (input) => ({
      arguments: typeof input === 'object' && input !== null ? { ...input } : {},
      effect: 'once',
      paths: [],
    }),
  };
}
