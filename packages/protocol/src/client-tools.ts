/**
 * Prefix of the name of every client tool, and of no other tool: policies and logs recognise it by
 * that.
 */
const PREFIX = 'client_';

/** The group of all client tools. */
export const CLIENT_TOOLS_GROUP = 'client';

/** The name for model, log and policies of a tool that its program calls `name`. */
export function clientToolName(name: string): string {
  return `${PREFIX}${name}`;
}

/** The program's own name for a client tool; undefined for any other tool. */
export function declaredName(tool: string): string | undefined {
  return tool.startsWith(PREFIX) ? tool.slice(PREFIX.length) : undefined;
}
