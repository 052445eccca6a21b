import type { FlowPolicy } from './flow-policy.ts';

/**
 * What a person's file adds to the shipped one, or changes in it. A tool, a source or a rule of a name that is there already
 * takes its place; a new source or rule comes before those that are there, for the first rule that matches decides.
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
