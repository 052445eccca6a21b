import type { EngineLink } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { Output } from '../../output/output.ts';

/** The model that answers in a chat: the configured one, as the engine last told, or another that a person chose here. */
export class ChosenModel {
  /** Empty for the configured one. */
  override: string;
  #configured: string;

  constructor(configured: string, override: string) {
    this.#configured = configured;
    this.override = override;
  }

  get name(): string {
    return this.override || this.#configured;
  }

  /** Asks an engine that is back: another configuration may have come with it, and with it another server that hears all. */
  async tellIfAnother(link: EngineLink, output: Output): Promise<void> {
    const before = this.name;
    try {
      this.#configured = (await link.once((client) => client.call('status', {}))).model;
    } catch (error) {
      // Away again: whoever watches it says so.
      if (!BulkheadError.is(error)) throw error;
    }
    if (this.name !== before)
      output.line(output.palette.yellow(`the model is now ${output.safe(this.name)}`));
  }
}
