const HIDDEN = '[redacted]';
const SHORTEST_SECRET = 4;

/** Replaces every occurrence of the secrets: servers and libraries quote keys in their errors. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
}
