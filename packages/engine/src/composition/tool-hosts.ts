import type { ToolHost } from '@bulkhead/protocol';
import type { ToolRegistry } from '@bulkhead/tools';

/**
 * Who does what a tool was judged to do: the host of its group, or else the workers. They refuse a tool they don't know, and look at files
 * for any: so a call that a crash left open is looked after also where its tool is no more.
 */
export function toolHosts(
  tools: Pick<ToolRegistry, 'get'>,
  groups: Readonly<Record<string, ToolHost>>,
  workers: ToolHost,
): (tool: string) => ToolHost {
  const hosts = new Map(Object.entries(groups));
  return (tool) => hosts.get(tools.get(tool)?.group ?? '') ?? workers;
}
