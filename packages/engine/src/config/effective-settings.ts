import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { findConfigKey, keyPath, listConfigKeys } from './config-keys.ts';
import { parseConfig, readConfigText } from './load-config.ts';

/** What counts for one key, and where it comes from. */
export interface EffectiveSetting {
  readonly key: string;
  /** Undefined if it isn't set and has no default. */
  readonly value: unknown;
  /** Line of `config.yaml`; undefined if it isn't there. */
  readonly line: number | undefined;
}

/**
 * @param path of `config.yaml`
 * @param key a key or a group; without one, all that have a value
 * @returns undefined if there is no such key
 * @throws BulkheadError `config_invalid` if the file isn't valid: nothing of it counts then
 */
export function effectiveSettings(path: string, key?: string): readonly EffectiveSetting[] | undefined {
  const text = readConfigText(path);
  const config: unknown = parseConfig(text, path);
  const lines = new LineCounter();
  const document = parseDocument<Node>(text, { version: '1.2', schema: 'core', lineCounter: lines });
  const read = (name: string): EffectiveSetting => ({
    key: name,
    value: valueAt(config, name),
    line: lineOf(document.contents, name, lines),
  });
  if (key === undefined)
    return leavesBelow('')
      .map(read)
      .filter(({ value }) => value !== undefined);
  const known = findConfigKey(key);
  if (known === undefined) return undefined;
  if (known.type !== 'object') return [read(key)];
  const prefix = `${known.key}.`;
  return leavesBelow(prefix)
    .map((name) => read(`${key}.${name.slice(prefix.length)}`))
    .filter(({ value }) => value !== undefined);
}

function leavesBelow(prefix: string): readonly string[] {
  return listConfigKeys()
    .filter(({ type, key }) => type !== 'object' && key.startsWith(prefix))
    .map(({ key }) => key)
    .filter((key) => !key.slice(prefix.length).includes('*'));
}

function valueAt(config: unknown, key: string): unknown {
  let value = config;
  for (const part of keyPath(key)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = new Map<string, unknown>(Object.entries(value)).get(String(part));
  }
  return value;
}

function lineOf(contents: Node | null, key: string, lines: LineCounter): number | undefined {
  let node: unknown = contents;
  let offset: number | undefined;
  for (const part of keyPath(key)) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === part);
      offset = isNode(pair?.key) ? pair.key.range?.[0] : undefined;
      node = pair?.value;
      continue;
    }
    node = typeof part === 'number' ? elementOf(node, part) : undefined;
    offset = isNode(node) ? node.range?.[0] : undefined;
  }
  return offset === undefined ? undefined : lines.linePos(offset).line;
}

function elementOf(node: unknown, place: number): unknown {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items)
    ? node.items[place]
    : undefined;
}
