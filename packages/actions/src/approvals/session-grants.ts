/** Maximum of grants per session; the oldest is dropped first. */
const MAX_GRANTS = 500;

/**
 * Approvals for the rest of a session. Kept in memory: after a restart, the person is asked again
 * [A6].
 */
export class SessionGrants {
  readonly #sessions = new Map<string, Set<string>>();

  /** @param grant names the action and the rule that asked: see `grantOf` */
  add(sessionId: string, grant: string): void {
    const grants = this.#sessions.get(sessionId) ?? new Set();
    this.#sessions.set(sessionId, grants);
    grants.add(grant);
    const [oldest] = grants;
    if (grants.size > MAX_GRANTS && oldest !== undefined) grants.delete(oldest);
  }

  has(sessionId: string, grant: string): boolean {
    return this.#sessions.get(sessionId)?.has(grant) === true;
  }
}
