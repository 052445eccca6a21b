/** Where the key of a request came from; `none`: there was none, and none was sent. */
export type KeySource = 'environment' | 'store' | 'none';

/**
 * What to do about a key that is missing or was refused, as sentences. The environment comes first: where the key comes
 * from there, a stored one would not count.
 * @param name of the variable or secret that holds the key
 */
export function keyFix(name: string, source: KeySource): string {
  const store = `\`bulkhead config secret ${name}\``;
  switch (source) {
    case 'none':
      return `Store the key with ${store} (it counts at once, no restart), or run \`bulkhead restart\` in a shell that has ${name}: the engine was started without it.`;
    case 'store':
      return `Check the stored key ${name}: ${store} replaces it (the new one counts at once, no restart).`;
    case 'environment':
      return `Check ${name} in the environment of the engine, which was started with it: \`bulkhead restart\` in a shell that has the right one takes it over. To go on with a stored key (${store}), \`bulkhead stop\` it and start it in a shell without ${name}.`;
  }
}
