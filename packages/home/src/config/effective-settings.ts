import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { type ConfigKey, findConfigKey, keyPath, listConfigKeys } from './config-keys.ts';
import { parseConfig, readConfigText } from './load-config.ts';

/** The effective value of one key, and its source. */
export interface EffectiveSetting {
  readonly key: string;
  /** Undefined if it isn't set and has no default. */
  readonly value: unknown;
  /** Line of `config.yaml`; undefined if it isn't there. */
  readonly line: number | undefined;
  /** The effect of a missing value, in words; undefined if there is a value, or nothing to say. */
  readonly otherwise: string | undefined;
}

/**
 * @param path of `config.yaml`
 * @param key a key or a group; without one, all. Of an optional group, such as a model, only keys
 *   with a value; if it is missing, the group itself
 * @returns undefined for an unknown key
 * @throws BulkheadError `config_invalid` if the file isn't valid: then none of it has effect
 */
export function effectiveSettings(path: string, key?: string): readonly EffectiveSetting[] | undefined {
  const text = readConfigText(path);
  const config: unknown = parseConfig(text, path);
  const lines = new LineCounter();
  const document = parseDocument<Node>(text, { version: '1.2', schema: 'core', lineCounter: lines });
  const read = (name: string, { default: fallback, description, type }: ConfigKey): EffectiveSetting => {
    const value = valueAt(config, name) ?? (type === 'object' ? undefined : fallback);
    const otherwise = value === undefined ? defaultInWords(description) : undefined;
    return { key: name, value, line: lineOf(document.contents, name, lines), otherwise };
  };
  const keys = listConfigKeys();
  if (key === undefined) return listed(keys, '', (one) => read(one.key, one));
  const known = findConfigKey(key);
  if (known === undefined) return undefined;
  if (known.type !== 'object') return [read(key, known)];
  const prefix = `${known.key}.`;
  const below = listed(keys, prefix, (one) => read(`${key}.${one.key.slice(prefix.length)}`, one));
  return below.length === 0 ? [read(key, known)] : below;
}

/**
 * Keys with a value, and effects of missing ones; not each key of a model that isn't configured.
 */
function listed(
  keys: readonly ConfigKey[],
  prefix: string,
  read: (key: ConfigKey) => EffectiveSetting,
): readonly EffectiveSetting[] {
  const optional = keys.filter(isOptionalGroup).map((group) => `${group.key}.`);
  return keys
    .filter((one) => one.type !== 'object' || isOptionalGroup(one))
    .filter(({ key }) => key.startsWith(prefix) && !key.slice(prefix.length).includes('*'))
    .flatMap((one) => {
      const setting = read(one);
      const isInOptional = optional.some((group) => one.key.startsWith(group));
      const isShown = setting.value === undefined ? !isInOptional : one.type !== 'object';
      return isShown ? [setting] : [];
    });
}

function isOptionalGroup({ type, default: fallback }: ConfigKey): boolean {
  return type === 'object' && fallback === undefined;
}

/** If the schema can hold no default, the end of its description states the effect. */
function defaultInWords(description: string): string | undefined {
  return /\bDefault: (.+?)\.(?= |$)/.exec(description)?.[1];
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
