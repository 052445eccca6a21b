import { createToolRegistry, everyGroup, everyTool } from '@bulkhead/tools';
import { describe, expect, it } from 'vitest';
import { shippedFlow } from './read-flow-policy.ts';

/** All tools, as in an engine with every feature enabled. */
const registry = createToolRegistry(everyTool, everyGroup);
const { tools: annotations } = shippedFlow();
const names = registry.groups().flatMap(({ tools }) => tools);

/** Arguments that no schema shows a model: results name them. */
const HINTED: ReadonlyMap<string, readonly string[]> = new Map([['bash', ['secret_files']]]);

describe('the shipped annotations', () => {
  it('has tools to look at', () => {
    expect(names).toEqual(
      expect.arrayContaining(['read', 'bash', 'web_fetch', 'process_stop', 'memory_write']),
    );
  });

  it.each(names)('says of every argument of %s what it is, and of no other', (name) => {
    const tool = registry.get(name);
    const annotation = annotations.get(name);
    const schema = tool?.inputSchema;
    const properties = [...Object.keys(Object(schema?.['properties'])), ...(HINTED.get(name) ?? [])];
    expect(Object.keys(annotation?.arguments ?? {}).toSorted()).toEqual(properties.toSorted());
  });
});
