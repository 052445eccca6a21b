/** What the name of every client tool begins with, and of no other tool: policies and logs know it by that. */
const PREFIX = 'client_';

/** The group of all client tools. */
export const CLIENT_TOOLS_GROUP = 'client';

/** The name by which model, log and policies know a tool that its program calls `name`. */
export function clientToolName(name: string): string {
  return `${PREFIX}${name}`;
}

/** What its program calls a client tool; undefined for any other tool. */
export function declaredName(tool: string): string | undefined {
  return tool.startsWith(PREFIX) ? tool.slice(PREFIX.length) : undefined;
}
