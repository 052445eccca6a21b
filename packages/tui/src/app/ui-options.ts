import type { Clock, IdSource, Timers } from '@bulkhead/protocol';
import type { UiPlace } from '../link/session-feed.ts';
import type { UiLink } from '../link/ui-link.ts';
import type { ThemeName } from '../look/style.ts';
import type { CommandName } from '../prompt/completion.ts';
import type { NoteTone } from '../transcript/transcript-pane.ts';

/**
 * How the session receives a message: `steer` joins the current run, `queue` follows it, `now` ends
 * it.
 */
export type UiDelivery = 'steer' | 'queue' | 'now';

/** The parts of the screen that a command may use. */
export interface UiSeat {
  readonly sessionId: string;
  /** Absolute; empty if unknown. */
  readonly folder: string;
  /** Fires when the person leaves, or interrupts the command. */
  readonly signal: AbortSignal;
  /** Ids of waiting messages, and the text of those sent from this client. */
  readonly waiting: readonly string[];
  readonly own: ReadonlyMap<string, string>;
  /** True if the model's thinking is shown. @param shown changes that */
  thinking(shown?: boolean): boolean;
  /** True if actions with effects are described and not executed. @param wanted changes that */
  dryRun(wanted?: boolean): boolean;
  /** Shows text below the conversation; it is made inert. */
  print(text: string): void;
  /** Asks for one line. @returns undefined if the question was withdrawn */
  ask(question: string): Promise<string | undefined>;
  send(text: string, delivery: UiDelivery): Promise<void>;
  /** Shows another session. @param sessionId an id or its beginning; undefined for a new session */
  open(sessionId: string | undefined): Promise<void>;
  leave(): void;
}

/** A command that a person enters after `/`. */
export interface UiCommand extends CommandName {
  readonly aliases?: readonly string[];
  /** Set if an argument is required: names what is missing. */
  readonly needs?: string;
  /** @throws BulkheadError shown to the person; the screen stays */
  run(argument: string, seat: UiSeat): Promise<void> | void;
}

/** An entry of the person. */
export type UiEntry =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'command'; readonly command: UiCommand; readonly argument: string }
  /** Not a command: the template of that name, if there is one, expands it. */
  | { readonly kind: 'template'; readonly entry: string; readonly otherwise: string }
  | { readonly kind: 'mistake'; readonly reason: string };

/** The current model. */
interface UiModel {
  /** `provider/model` */
  readonly name: string;
  /** The person's choice; empty for the configured one. */
  override: string;
}

interface UiImage {
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/** A notice shown at the start. */
export interface UiNotice {
  readonly text: string;
  readonly tone: NoteTone;
}

/** The services that the program provides to the terminal UI. */
export interface UiOptions {
  readonly link: UiLink;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly newId: IdSource;
  /** Working folder of new sessions, absolute. */
  readonly folder: string;
  /** The person's home folder, absolute: the value of `~`. */
  readonly home: string;
  readonly model: UiModel;
  /** True if new sessions are off the record; the program may change it. */
  readonly mode: { readonly offTheRecord: boolean };
  readonly dryRun: boolean;
  /** Notices that the person must see first. */
  readonly notices: readonly UiNotice[];
  readonly commands: readonly UiCommand[];
  parse(text: string, commands: readonly UiCommand[]): UiEntry;
  /** Finds or creates a session. @throws BulkheadError for one that can't be shown here */
  place(wanted: string | undefined): Promise<UiPlace>;
  templates(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /** @returns undefined if the template does not exist */
  expand(folder: string, entry: string, signal: AbortSignal): Promise<string | undefined>;
  /** @param paths absolute @throws BulkheadError for a file that is no image or too large */
  images(paths: readonly string[], content: string): readonly UiImage[];
  /** Remembers the theme for the next time. @throws BulkheadError if it can't */
  keepTheme(theme: ThemeName): void;
  /** The engine is connected again. @param print shows a line to the person */
  onBack(print: (text: string) => void): Promise<void>;
  /** Gives the terminal to the shell until the person returns. */
  suspend(): void;
}

/** How the person left. */
export interface UiEnd {
  /** Empty if there was no session yet. */
  readonly sessionId: string;
  /** Whether a run continues, or was cancelled with an unknown outcome. */
  readonly run: 'none' | 'running' | 'cancelling';
  /** The reason why the connection to the engine is permanently lost; undefined if it isn't. */
  readonly failure?: unknown;
}
