import type { ToolAnnotation, ToolAnnotations } from '@bulkhead/protocol';
import { BulkheadError } from '@bulkhead/protocol';
import { readStrictYaml } from '@bulkhead/protocol/strict-yaml';
import type * as z from 'zod';
import { parseGlob } from '../patterns/glob.ts';
import { defaultFlowPolicy } from './default-flow-policy.ts';
import type { FlowPolicy } from './flow-policy.ts';
import { flowPolicySchema } from './flow-policy-schema.ts';
import { shippedFlowValue } from './shipped-flow.prepared.ts';

type Fail = (path: (string | number)[], what: string) => BulkheadError;

/**
 * Reads an `ifc.yaml`. Strict: an unknown or doubled key, a tool that occurs twice in one set, an
 * anchor, alias or tag, and text over 256 KiB are errors.
 * @param fileName for messages, and recorded as the origin of annotations
 * @throws BulkheadError `config_invalid` naming file, line and column
 */
export function parseFlowPolicy(text: string, fileName: string): FlowPolicy {
  const fix =
    'Correct the file. A running engine keeps its last valid version; no engine starts with this one.';
  // The unchanged default file of a home.
  if (text === defaultFlowPolicy) return flowPolicyOf(shippedFlowValue(), fileName, asShipped);
  const { value, fail } = readStrictYaml(text, fileName, flowPolicySchema, { fix });
  return flowPolicyOf(value, fileName, fail);
}

function flowPolicyOf(value: z.output<typeof flowPolicySchema>, fileName: string, fail: Fail): FlowPolicy {
  const scopes = new Map<string, ToolAnnotations>();
  for (const [index, { scope, tools }] of value.scopes.entries()) {
    if (scopes.has(scope)) throw fail(['scopes', index, 'scope'], `the scope ${quote(scope)} is there twice`);
    scopes.set(scope, byName(tools, ['scopes', index, 'tools'], fail));
  }
  return {
    version: value.version,
    mode: value.mode,
    tools: byName(value.tools, ['tools'], fail),
    origins: new Map(value.tools.map(({ tool }) => [tool, fileName])),
    scopes,
    sources: value.sources.map(({ match, ...rest }) => ({
      ...rest,
      match: {
        tool: match.tool,
        path: match.path?.map((source) => parseGlob(source, 'path', [])),
        host: match.host?.map((source) => source.toLowerCase()),
        sender: match.sender?.map((source) => parseGlob(source.toLowerCase(), 'command', [])),
      },
    })),
    rules: value.rules,
  };
}

function asShipped(path: (string | number)[], what: string): BulkheadError {
  return new BulkheadError('config_invalid', `the shipped ifc.yaml: ${path.join('.')}: ${what}`);
}

function byName(tools: readonly ToolAnnotation[], path: (string | number)[], fail: Fail): ToolAnnotations {
  const known = new Map<string, ToolAnnotation>();
  for (const [index, tool] of tools.entries()) {
    if (known.has(tool.tool)) {
      throw fail([...path, index, 'tool'], `the tool ${quote(tool.tool)} is there twice`);
    }
    known.set(tool.tool, tool);
  }
  return known;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
