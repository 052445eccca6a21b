import {
  type ArgumentRole,
  BulkheadError,
  type EffectClass,
  type ParsedCall,
  type ToolCard,
  type ToolDescription,
  type ToolFlow,
  type ToolHostCall,
  type ToolPath,
} from '@bulkhead/protocol';
import * as z from 'zod';
import type { Execution, ExecutionOn, HostKind } from './execution.ts';
import type { BoundTool, WorkerTool } from './worker-tool.ts';

type ArgumentsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape, z.core.$strict>>;

/** A tool's definition, as its author writes it; everything else is derived from it. */
export interface ToolSpecification<Shape extends z.ZodRawShape> {
  readonly name: string;
  /** For the model, in every request: keep it as short as possible. */
  readonly description: string;
  readonly group: string;
  readonly readOnly: boolean;
  readonly effect: EffectClass;
  readonly schema: z.ZodObject<Shape, z.core.$strict>;
  /** Paths that the arguments name; absent if there are none. */
  readonly paths?: (args: ArgumentsOf<Shape>) => readonly ToolPath[];
  readonly command?: (args: ArgumentsOf<Shape>) => string;
  readonly hosts?: (args: ArgumentsOf<Shape>) => readonly string[];
  /** Files with credentials that the call is to read, by paths below the working folder. */
  readonly secretFiles?: (args: ArgumentsOf<Shape>) => readonly string[];
  readonly background?: (args: ArgumentsOf<Shape>) => boolean;
  readonly live?: (args: ArgumentsOf<Shape>) => boolean;
  readonly effectOf?: (args: ArgumentsOf<Shape>) => EffectClass;
  readonly flow: ToolFlow & { readonly arguments: Readonly<Record<keyof ArgumentsOf<Shape>, ArgumentRole>> };
  readonly card: ToolCard;
  /**
   * The module that executes calls in a worker; only a worker loads it. Alternative to `host` and
   * `execution`.
   */
  readonly worker?: () => Promise<WorkerTool<ArgumentsOf<Shape>>>;
  /** The host that executes the calls, if no worker does. */
  readonly host?: HostKind;
  /** Binds a call for execution on that host. */
  readonly execution?: (args: ArgumentsOf<Shape>) => Execution;
}

/** A tool of the product, with everything known about it. */
export interface DefinedTool extends ToolDescription {
  readonly flow: ToolFlow;
  readonly card: ToolCard;
  /**
   * Returns the executor of its calls in a worker; the executor receives only the judged bytes and
   * parses them.
   */
  readonly worker?: () => Promise<BoundTool>;
}

/** A parsed call with its executor. */
class DefinedCall implements ParsedCall {
  readonly tool: string;
  readonly arguments: ParsedCall['arguments'];
  readonly effect: EffectClass;
  readonly paths: readonly ToolPath[];
  readonly command?: string;
  readonly hosts?: readonly string[];
  readonly secretFiles?: readonly string[];
  readonly background?: true;
  readonly live?: true;
  readonly #execution: () => Execution | undefined;

  constructor(tool: string, facts: ParsedCall, execution: () => Execution | undefined) {
    this.tool = tool;
    this.arguments = facts.arguments;
    this.effect = facts.effect;
    this.paths = facts.paths;
    if (facts.command !== undefined) this.command = facts.command;
    if (facts.hosts !== undefined) this.hosts = facts.hosts;
    if (facts.secretFiles !== undefined) this.secretFiles = facts.secretFiles;
    if (facts.background !== undefined) this.background = facts.background;
    if (facts.live !== undefined) this.live = facts.live;
    this.#execution = execution;
  }

  /** Undefined for a call that a worker executes. */
  get execution(): Execution | undefined {
    return this.#execution();
  }
}

/** @throws BulkheadError `unknown_tool` for a call that another host executes */
export function executionOn<Host extends HostKind>(
  host: Host,
  { tool, parsed }: Pick<ToolHostCall, 'tool' | 'parsed'>,
): ExecutionOn<Host> {
  const execution = parsed instanceof DefinedCall && parsed.tool === tool ? parsed.execution : undefined;
  if (execution !== undefined && isOn(host, execution)) return execution;
  throw new BulkheadError('unknown_tool', `no ${host} tool is named ${tool}`);
}

function isOn<Host extends HostKind>(host: Host, execution: Execution): execution is ExecutionOn<Host> {
  return execution.host === host;
}

/**
 * Builds a tool from one strict schema: the parser and the JSON Schema for the model come from the
 * same source, so they can't drift apart.
 */
export function defineTool<Shape extends z.ZodRawShape>(
  specification: ToolSpecification<Shape>,
): DefinedTool {
  const { name, schema, paths, command, hosts, secretFiles, background, live, effectOf } = specification;
  const { worker, host, execution } = specification;
  const argumentsOf = (input: unknown) => {
    refuseOddObject(name, input);
    const result = schema.safeParse(input);
    if (result.success) return result.data;
    throw invalid(name, describeIssues(result.error, Object.keys(schema.shape)));
  };
  let inputSchema: Readonly<Record<string, unknown>> | undefined;
  return {
    name,
    description: specification.description,
    group: specification.group,
    readOnly: specification.readOnly,
    effect: specification.effect,
    // Computed on first use: it costs a millisecond, and most processes show few tools to a model.
    get inputSchema() {
      inputSchema ??= modelSchema(schema);
      return inputSchema;
    },
    ...(command === undefined ? {} : { runsCommand: true }),
    ...(hosts === undefined ? {} : { usesNetwork: true }),
    flow: specification.flow,
    card: specification.card,
    ...(host === undefined ? {} : { host }),
    ...(worker === undefined ? {} : { worker: async () => bound(name, argumentsOf, await worker()) }),
    parse: (input) => {
      const args = argumentsOf(input);
      const facts: ParsedCall = {
        arguments: args,
        effect: effectOf?.(args) ?? specification.effect,
        paths: paths?.(args) ?? [],
        ...(command === undefined ? {} : { command: command(args) }),
        ...(hosts === undefined ? {} : { hosts: hosts(args) }),
        ...(secretFiles === undefined ? {} : { secretFiles: [...new Set(secretFiles(args))].toSorted() }),
        ...(background?.(args) === true ? { background: true } : {}),
        ...(live?.(args) === true ? { live: true } : {}),
      };
      return new DefinedCall(name, facts, () => execution?.(args));
    },
  };
}

function bound<Arguments>(
  name: string,
  argumentsOf: (input: unknown) => Arguments,
  { run, plan }: WorkerTool<Arguments>,
): BoundTool {
  return {
    name,
    run: (input, ...rest) => run(argumentsOf(input), ...rest),
    plan: (input, ...rest) => plan(argumentsOf(input), ...rest),
  };
}

/**
 * Only what `JSON.parse` can make passes: no inherited keys, no accessors, no key that names a
 * prototype.
 */
function refuseOddObject(name: string, input: unknown): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalid(name, 'the arguments must be a JSON object');
  }
  const prototype: unknown = Object.getPrototypeOf(input);
  if (prototype !== Object.prototype && prototype !== null) {
    throw invalid(name, 'the arguments must be a plain JSON object');
  }
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    if (Object.hasOwn(input, key)) throw invalid(name, `unknown argument ${JSON.stringify(key)}`);
  }
}

function describeIssues(error: z.ZodError, known: readonly string[]): string {
  const lines = error.issues.slice(0, 4).map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const names = issue.keys.slice(0, 4).map((key) => JSON.stringify(key.slice(0, 60)));
      return `unknown argument ${names.join(', ')}; known: ${known.join(', ')}`;
    }
    const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    const what = issue.message.replace(/^Invalid input: /, '');
    return `${where}${what.endsWith('received undefined') ? 'is missing' : what}`;
  });
  return lines.join('; ');
}

function invalid(tool: string, message: string): BulkheadError {
  return new BulkheadError('invalid_arguments', `${tool}: ${message}`, {
    fix: 'Call it again with corrected arguments',
    details: { tool },
  });
}

/**
 * Keeps names, types, descriptions and required fields; an error names a bound that is broken. An
 * argument with `hinted` is left out: results name it where it helps.
 */
function modelSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const full = z.toJSONSchema(schema, { io: 'input' });
  const told = Object.entries(full.properties ?? {}).filter(
    ([, value]) => typeof value === 'boolean' || value['hinted'] !== true,
  );
  const properties = told.map(([key, value]) => {
    if (typeof value === 'boolean') return [key, {}] as const;
    const { type, description, items } = value;
    const shown = { type, ...(description === undefined ? {} : { description }) };
    // A list needs an item type: some providers refuse a schema without one.
    return [key, isSchema(items) ? { ...shown, items: { type: items.type } } : shown] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(full.required === undefined ? {} : { required: full.required }),
  };
}

function isSchema(items: unknown): items is { readonly type: unknown } {
  return typeof items === 'object' && items !== null && 'type' in items;
}
