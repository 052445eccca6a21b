import type { UiLink } from '../link/ui-link.ts';

/** How full the model's window is, by the engine's count. */
export class ContextMeter {
  /** Size of the model's window in tokens; 0 if unknown. */
  window = 0;
  /** Tokens of the next request. */
  used = 0;
  readonly #link: UiLink;

  constructor(link: UiLink) {
    this.#link = link;
  }

  /** Asks again. @returns false if the engine could not answer: then the last value stays */
  async refresh(sessionId: string, signal: AbortSignal): Promise<boolean> {
    try {
      const context = await this.#link.repeat(
        (client) => client.call('readContext', { sessionId }, signal),
        signal,
      );
      this.window = context.contextWindow;
      this.used = context.sections.reduce((sum, { tokens }) => sum + tokens, 0);
      return true;
    } catch {
      return false;
    }
  }
}
