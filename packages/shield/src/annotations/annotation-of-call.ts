import type { ArgumentRole, ToolAnnotation, ToolAnnotations } from '@bulkhead/protocol';
import { declaredName } from '@bulkhead/protocol';
import { inferAnnotations } from './infer-annotations.ts';

/** A call, as far as it tells what its tool is. */
interface NamedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * What the tool of a call is: as described, or, for a tool of the program that started the run, as its name and the names of its
 * arguments say. The same call gives the same answer, also when it is read from a log. Undefined for a tool that nobody knows.
 *
 * A program is believed in what it calls its tools, not in what they give: that is anybody's word. Its files are not this machine's.
 */
export function annotationOfCall(
  tools: Pick<ToolAnnotations, 'get'>,
  call: NamedCall,
): ToolAnnotation | undefined {
  const described = tools.get(call.tool);
  const name = declaredName(call.tool);
  return described ?? (name === undefined ? undefined : clientTool(name, call));
}

function clientTool(name: string, call: NamedCall): ToolAnnotation | undefined {
  const properties = Object.fromEntries(
    Object.entries(call.arguments).map(([argument, value]) => [argument, { type: typeof value }]),
  );
  const guess = inferAnnotations([{ name, description: '', inputSchema: { properties } }]).get(name);
  if (guess === undefined) return undefined;
  const roles = Object.entries(guess.arguments).map(
    ([argument, role]) => [argument, elsewhere(role)] as const,
  );
  return {
    ...guess,
    tool: call.tool,
    arguments: Object.fromEntries(roles),
    result: { writer: 'external' },
  };
}

/** A path on another machine names a thing there: no file of this one is read, written or labelled by it. */
function elsewhere(role: ArgumentRole): ArgumentRole {
  return role === 'path-read' || role === 'path-write' || role === 'path-delete' ? 'object' : role;
}
