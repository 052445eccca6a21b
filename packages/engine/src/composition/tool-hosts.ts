import type { ToolHost } from '@bulkhead/protocol';
import type { HostKind, ToolRegistry } from '@bulkhead/tools';

/**
 * Who does what a tool was judged to do: the host that it names, or else the workers. They refuse a tool they don't know, and look at
 * files for any: so a call that a crash left open is looked after also where its tool is no more.
 */
export function toolHosts(
  tools: Pick<ToolRegistry, 'get'>,
  hosts: Readonly<Record<HostKind, ToolHost>>,
  workers: ToolHost,
): (tool: string) => ToolHost {
  const known = new Map<string, ToolHost>(Object.entries(hosts));
  return (tool) => known.get(tools.get(tool)?.host ?? '') ?? workers;
}
