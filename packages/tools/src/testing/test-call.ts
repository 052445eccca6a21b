import type { ToolHostCall } from '@bulkhead/protocol';
import { everyTool } from '../tools/every-tool.ts';

/** A call as the pipeline passes it to a host. The tool must be one of the product. */
export function testCall(
  tool: string,
  args: unknown,
  { actionId = 'a', sessionId = 's', workingFolder = '/w' }: Partial<ToolHostCall> = {},
): ToolHostCall {
  const found = everyTool.find(({ name }) => name === tool);
  if (found === undefined) throw new Error(`there is no tool ${tool}`);
  const canonicalArguments = JSON.stringify(args);
  return { actionId, sessionId, tool, canonicalArguments, parsed: found.parse(args), workingFolder };
}
