import { BulkheadError, type EffectClass, type ToolDescription, type ToolPath } from '@bulkhead/protocol';
import * as z from 'zod';

/** What a tool's author states; everything else of a `ToolDescription` follows from it. */
export interface ToolSpecification<Shape extends z.ZodRawShape> {
  readonly name: string;
  /** For the model, part of every request: as short as it can be. */
  readonly description: string;
  readonly group: string;
  readonly readOnly: boolean;
  readonly effect: EffectClass;
  readonly schema: z.ZodObject<Shape, z.core.$strict>;
  readonly paths: (args: z.output<z.ZodObject<Shape, z.core.$strict>>) => readonly ToolPath[];
  readonly command?: (args: z.output<z.ZodObject<Shape, z.core.$strict>>) => string;
  readonly hosts?: (args: z.output<z.ZodObject<Shape, z.core.$strict>>) => readonly string[];
  readonly background?: (args: z.output<z.ZodObject<Shape, z.core.$strict>>) => boolean;
  readonly effectOf?: (args: z.output<z.ZodObject<Shape, z.core.$strict>>) => EffectClass;
}

/** A description whose parse keeps the type of the arguments, for the code that runs the tool. */
export interface TypedTool<Arguments extends Readonly<Record<string, unknown>>> extends ToolDescription {
  parse(input: unknown): Arguments;
}

/**
 * Builds a tool's description from one strict schema: the parser and the JSON Schema for the model come
 * from the same source, so they can't drift apart.
 */
export function defineTool<Shape extends z.ZodRawShape>(
  specification: ToolSpecification<Shape>,
): TypedTool<z.output<z.ZodObject<Shape, z.core.$strict>>> {
  const { name, schema, paths, command, hosts, background, effectOf } = specification;
  const parse = (input: unknown) => {
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
    // Costs a millisecond, and most processes have tools that they tell no model of.
    get inputSchema() {
      inputSchema ??= modelSchema(schema);
      return inputSchema;
    },
    parse,
    paths: (args) => paths(parse(args)),
    ...(command === undefined ? {} : { command: (args) => command(parse(args)) }),
    ...(hosts === undefined ? {} : { hosts: (args) => hosts(parse(args)) }),
    ...(background === undefined ? {} : { background: (args) => background(parse(args)) }),
    ...(effectOf === undefined ? {} : { effectOf: (args) => effectOf(parse(args)) }),
  };
}

/** Only what `JSON.parse` can make passes: no inherited keys, no accessors, no key that names a prototype. */
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

/** Keeps names, types, descriptions and what is required; bounds are told when they are broken. */
function modelSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const full = z.toJSONSchema(schema, { io: 'input' });
  const properties = Object.entries(full.properties ?? {}).map(([key, value]) => {
    if (typeof value === 'boolean') return [key, {}] as const;
    const { type, description, items } = value;
    const shown = { type, ...(description === undefined ? {} : { description }) };
    // A list says of what: some providers refuse one that doesn't.
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
