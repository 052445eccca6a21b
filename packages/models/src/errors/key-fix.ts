/** The source of a request's key; `none`: no key existed, and none was sent. */
export type KeySource = 'environment' | 'store' | 'none';

/**
 * The remedy for a missing or refused key, as sentences. If the key comes from the environment,
 * advise on that: a stored key would have no effect.
 * @param name of the variable or secret that holds the key
 */
export function keyFix(name: string, source: KeySource): string {
  const store = `\`bulkhead config secret ${name}\``;
  switch (source) {
    case 'none':
      return `Store the key with ${store} (takes effect immediately, without a restart), or run \`bulkhead restart\` in a shell that has ${name}: the engine was started without it.`;
    case 'store':
      return `Check the stored key ${name}: ${store} replaces it (takes effect immediately, without a restart).`;
    case 'environment':
      return `Check ${name} in the environment of the engine, which was started with it: \`bulkhead restart\` in a shell that has the right one takes it over. To go on with a stored key (${store}), \`bulkhead stop\` it and start it in a shell without ${name}.`;
  }
}
