import { describeError } from '@bulkhead/protocol';
import { firstLine } from '@bulkhead/protocol/transcript';
import type { SessionFeed } from '../link/session-feed.ts';
import type { Entry } from '../prompt/prompt.ts';
import type { NoteTone } from '../transcript/transcript-pane.ts';
import type { CommandRunner } from './command-runner.ts';
import type { Messages } from './messages.ts';
import type { Screen } from './screen.ts';
import type { UiCommand, UiDelivery, UiOptions, UiSeat } from './ui-options.ts';

interface EntriesOptions {
  readonly options: Pick<UiOptions, 'parse' | 'expand'>;
  readonly commands: () => readonly UiCommand[];
  readonly screen: Screen;
  readonly messages: Messages;
  readonly runner: CommandRunner;
  /** The current session. */
  readonly feed: () => SessionFeed | undefined;
  readonly dryRun: () => boolean;
  /** Fires when the person leaves. */
  readonly left: AbortSignal;
  readonly say: (text: string, tone?: NoteTone) => void;
}

/** A person's entry: a message to send, or a command to run. */
export class Entries {
  readonly #parts: EntriesOptions;

  constructor(parts: EntriesOptions) {
    this.#parts = parts;
  }

  async enter(text: string, as: Entry): Promise<void> {
    const { options, commands, runner, say } = this.#parts;
    const entry = options.parse(text, commands());
    const entered = text.trim();
    if (entry.kind === 'message') await this.#sendOrPutBack(entry.text, as);
    // The request appears above its answer.
    if (entry.kind === 'command' || entry.kind === 'mistake') say(entered, 'accent');
    if (entry.kind === 'command')
      await runner.run(entered, (seat) => entry.command.run(entry.argument, seat));
    if (entry.kind === 'template')
      await runner.run(entered, (seat) => this.#sendTemplate(entry.entry, entry.otherwise, seat));
    if (entry.kind === 'mistake') say(entry.reason);
  }

  /** @throws BulkheadError if the engine refuses it */
  async send(text: string, delivery: UiDelivery): Promise<void> {
    const { feed, messages, screen, dryRun } = this.#parts;
    const shown = feed();
    if (shown === undefined) return;
    const sent = messages.send(shown, text, delivery, dryRun());
    screen.draw();
    await sent.finally(() => screen.draw());
  }

  /** Returns the last waiting message to the line for editing. */
  async takeBack(feed: SessionFeed): Promise<void> {
    const { messages, screen, say } = this.#parts;
    const taken = await messages.takeBack(feed);
    if ('reason' in taken) return say(taken.reason);
    screen.prompt.restore(taken.text);
    screen.draw();
  }

  /** Text that could not be sent returns to the line. */
  async #sendOrPutBack(text: string, as: Entry): Promise<void> {
    const { screen, left, say } = this.#parts;
    try {
      await this.send(text, as);
    } catch (cause) {
      if (left.aborted) return;
      screen.prompt.restore(text);
      say(describeError(cause), 'danger');
    }
  }

  async #sendTemplate(entry: string, otherwise: string, seat: UiSeat): Promise<void> {
    const { options, say } = this.#parts;
    const text = await options.expand(seat.folder, entry, seat.signal);
    if (text === undefined) return say(otherwise);
    say(`(sent: ${firstLine(text)})`);
    await seat.send(text, 'steer');
  }
}
