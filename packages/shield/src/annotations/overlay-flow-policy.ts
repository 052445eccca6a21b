import type { FlowPolicy } from './flow-policy.ts';

/**
 * Applies a person's file over the shipped one. A tool, source or rule with an existing name
 * replaces it; a new source or rule comes before the existing ones, since the first match decides.
 */
export function overlayFlowPolicy(base: FlowPolicy, over: FlowPolicy): FlowPolicy {
  const scopes = new Map(base.scopes);
  for (const [scope, tools] of over.scopes)
    scopes.set(scope, new Map([...(scopes.get(scope) ?? []), ...tools]));
  return {
    version: over.version,
    mode: over.mode,
    tools: new Map([...base.tools, ...over.tools]),
    origins: new Map([...base.origins, ...over.origins]),
    scopes,
    sources: laidOver(base.sources, over.sources),
    rules: laidOver(base.rules, over.rules),
  };
}

function laidOver<Named extends { readonly name: string }>(
  base: readonly Named[],
  over: readonly Named[],
): readonly Named[] {
  const changed = new Map(over.map((one) => [one.name, one]));
  const known = new Set(base.map(({ name }) => name));
  return [...over.filter(({ name }) => !known.has(name)), ...base.map((one) => changed.get(one.name) ?? one)];
}
