type Ask = (question: string, signal: AbortSignal) => Promise<string>;

/** The question a command of the chat has open at the prompt: Ctrl-C takes it back. */
export class OpenQuestion {
  #withdrawal: AbortController | undefined;

  /**
   * @param ask how the prompt asks for one entry
   * @returns what was entered; undefined if the question was taken back, or the chat is being left
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

  /** @returns false if there is none */
  withdraw(): boolean {
    this.#withdrawal?.abort();
    return this.#withdrawal !== undefined;
  }
}
