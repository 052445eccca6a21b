type Ask = (question: string, signal: AbortSignal) => Promise<string>;

/** The open question of a chat command at the prompt: Ctrl-C withdraws it. */
export class OpenQuestion {
  #withdrawal: AbortController | undefined;

  /**
   * @param ask asks for one entry at the prompt
   * @returns the entry; undefined if the question was withdrawn, or the person leaves the chat
   */
  async ask(ask: Ask, question: string, left: AbortSignal): Promise<string | undefined> {
    const withdrawal = new AbortController();
    this.#withdrawal = withdrawal;
    const signal = AbortSignal.any([left, withdrawal.signal]);
    try {
      return await ask(question, signal);
    } catch (cause) {
      if (signal.aborted) return undefined;
      throw cause;
    } finally {
      this.#withdrawal = undefined;
    }
  }

  /** @returns false if no question is open */
  withdraw(): boolean {
    this.#withdrawal?.abort();
    return this.#withdrawal !== undefined;
  }
}
