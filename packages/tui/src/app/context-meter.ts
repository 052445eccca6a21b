import type { UiLink } from '../link/ui-link.ts';

/** How full the model's window is, as the engine counts. */
export class ContextMeter {
  /** Tokens the model can see at once; 0 while that is not known. */
  window = 0;
  /** Tokens of the next request. */
  used = 0;
  readonly #link: UiLink;

  constructor(link: UiLink) {
    this.#link = link;
  }

  /** Asks again. @returns false if it could not be told: then it shows what it last knew */
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
