/**
 * Decides whether slow attempts are made as well: by each process of a kind until one has passed
 * them.
 */
export class ThoroughFirst {
  #proven = false;

  /** @param start rejects for a process that is not admitted */
  async run<Started>(start: (thorough: boolean) => Promise<Started>): Promise<Started> {
    const thorough = !this.#proven;
    const started = await start(thorough);
    if (thorough) this.#proven = true;
    return started;
  }
}
