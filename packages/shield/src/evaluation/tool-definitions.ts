import type { ToolAnnotations } from '@bulkhead/protocol';
import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';
import { inferAnnotations } from '../annotations/infer-annotations.ts';

const schema = z.record(z.string(), z.unknown()).optional();
/** MCP servers call the arguments' schema `inputSchema`, and model providers `parameters`. */
const definition = z
  .object({
    suite: z.string().default(''),
    name: z.string().min(1),
    description: z.string().default(''),
    inputSchema: schema,
    parameters: schema,
  })
  .transform(({ inputSchema, parameters, ...tool }) => ({
    ...tool,
    inputSchema: inputSchema ?? parameters ?? {},
  }));

/**
 * Guesses annotations from the definitions that servers announce, one per line, grouped by suite.
 * @param file for errors
 * @throws BulkheadError `usage` for a line that is not a definition
 */
export function readToolDefinitions(text: string, file: string): ReadonlyMap<string, ToolAnnotations> {
  const suites = new Map<string, z.output<typeof definition>[]>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const tool = readLine(line, `${file}:${index + 1}`);
    suites.set(tool.suite, [...(suites.get(tool.suite) ?? []), tool]);
  }
  return new Map([...suites].map(([suite, tools]) => [suite, inferAnnotations(tools)]));
}

function readLine(line: string, where: string): z.output<typeof definition> {
  try {
    return definition.parse(JSON.parse(line));
  } catch (cause) {
    throw new BulkheadError('usage', `${where} is no definition of a tool`, {
      cause,
      fix: 'A definition is {"name","description","parameters"}, one to a line; "suite" names the cases it is for.',
    });
  }
}
