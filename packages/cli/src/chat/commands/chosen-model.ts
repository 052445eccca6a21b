import type { EngineLink } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { Output } from '../../output/output.ts';

/**
 * The model of a chat: the configured one, as the engine last reported it, or another that a person
 * chose here.
 */
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

  /**
   * Asks an engine after a reconnect: it may have a new configuration, whose model server receives
   * all messages.
   */
  async tellIfAnother(link: EngineLink, output: Output): Promise<void> {
    const before = this.name;
    try {
      this.#configured = (await link.once((client) => client.call('status', {}))).model;
    } catch (error) {
      // The connection is lost again: its watcher reports that.
      if (!BulkheadError.is(error)) throw error;
    }
    if (this.name !== before)
      output.line(output.palette.yellow(`the model is now ${output.safe(this.name)}`));
  }
}
