import type { ArgumentRole, ToolAnnotation, ToolAnnotations } from '@bulkhead/protocol';
import { declaredName } from '@bulkhead/protocol';
import { inferAnnotations } from './infer-annotations.ts';

/** The parts of a call that identify its tool. */
interface NamedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * Returns the annotation of a call's tool: as described, or, for a tool of the program that started
 * the run, guessed from its name and argument names. The same call gives the same answer, also when
 * read from a log. Undefined for an unknown tool.
 *
 * A client is trusted for its tools' names, not for their results, which anyone may have written.
 * Its files are not on this machine.
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

/** A path on another machine: no local file is read, written or labelled by it. */
function elsewhere(role: ArgumentRole): ArgumentRole {
  return role === 'path-read' || role === 'path-write' || role === 'path-delete' ? 'object' : role;
}
