import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import { BulkheadError } from '@bulkhead/protocol';
import { ApprovalMode } from '@bulkhead/protocol/client';

/** The effect of a mode on a run. */
interface Mode {
  readonly name: string;
  readonly description: string;
  readonly approve: ApprovalMode;
  readonly dryRun: boolean;
}

/**
 * A session starts in the first one. No mode approves: an editor's switch is not a person's
 * approval.
 */
const MODES: Readonly<Record<string, Mode>> = {
  ask: {
    name: 'Ask',
    description: 'Asks before actions that need approval; denies them without an answer.',
    approve: ApprovalMode.ASK,
    dryRun: false,
  },
  refuse: {
    name: 'Refuse',
    description: 'Denies actions that need approval, without asking.',
    approve: ApprovalMode.DENY,
    dryRun: false,
  },
  'dry-run': {
    name: 'Dry run',
    description: 'Describes changes without making them.',
    approve: ApprovalMode.ASK,
    dryRun: true,
  },
};
const MODEL = 'model';
const CONFIGURED = 'configured';

/**
 * A person's choices for a session in their editor: how it asks, and its model. They end with the
 * connection.
 */
export class SessionChoices {
  readonly #configured: string;
  readonly #models: readonly string[];
  #mode = 'ask';
  #model = CONFIGURED;

  /**
   * @param configured `provider/model` of the engine
   * @param models further offered models, as `provider/model`
   */
  constructor(configured: string, models: readonly string[]) {
    this.#configured = configured;
    this.#models = models;
  }

  /** The choices in the form of a message. */
  get runOptions(): { readonly approve: ApprovalMode; readonly dryRun: boolean; readonly model: string } {
    const { approve, dryRun } = MODES[this.#mode] ?? { approve: ApprovalMode.DENY, dryRun: false };
    return { approve, dryRun, model: this.#model === CONFIGURED ? '' : this.#model };
  }

  get modes(): SessionModeState {
    return {
      currentModeId: this.#mode,
      availableModes: Object.entries(MODES).map(([id, { name, description }]) => ({ id, name, description })),
    };
  }

  get options(): SessionConfigOption[] {
    const options = [
      { value: CONFIGURED, name: `${this.#configured} (configured)` },
      ...this.#models.map((model) => ({ value: model, name: model })),
    ];
    const model = { id: MODEL, name: 'Model', category: 'model', type: 'select' } as const;
    return [{ ...model, currentValue: this.#model, options }];
  }

  /** @throws BulkheadError `usage` */
  chooseMode(id: string): void {
    if (!Object.hasOwn(MODES, id)) {
      throw new BulkheadError('usage', `there is no mode "${id}": ${Object.keys(MODES).join(', ')}`);
    }
    this.#mode = id;
  }

  /** @throws BulkheadError `usage` */
  chooseOption(id: string, value: unknown): void {
    if (id !== MODEL) throw new BulkheadError('usage', `there is no option "${id}": ${MODEL}`);
    const known = [CONFIGURED, ...this.#models];
    const model = known.find((name) => name === value);
    if (model === undefined) {
      throw new BulkheadError('usage', `this model is not offered; choose one of: ${known.join(', ')}`, {
        fix: 'Offer another one with `bulkhead acp --model PROVIDER/MODEL`.',
      });
    }
    this.#model = model;
  }
}
