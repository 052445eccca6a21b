import type { Clock, IdSource, Timers } from '@bulkhead/protocol';
import type { UiPlace } from '../link/session-feed.ts';
import type { UiLink } from '../link/ui-link.ts';
import type { ThemeName } from '../look/style.ts';
import type { CommandName } from '../prompt/completion.ts';
import type { NoteTone } from '../transcript/transcript-pane.ts';

/** How a message goes to the session: `steer` joins the run that goes on, `queue` comes after it, `now` ends it. */
export type UiDelivery = 'steer' | 'queue' | 'now';

/** What a command may use of the screen it is entered in. */
export interface UiSeat {
  readonly sessionId: string;
  /** Absolute; empty where that is not known. */
  readonly folder: string;
  /** Fires when the person leaves, or interrupts the command. */
  readonly signal: AbortSignal;
  /** Ids of messages that wait, and the text of those sent from here. */
  readonly waiting: readonly string[];
  readonly own: ReadonlyMap<string, string>;
  /** Whether the model's thinking is shown. @param shown changes that */
  thinking(shown?: boolean): boolean;
  /** Whether what would change something is described and not done. @param wanted changes that */
  dryRun(wanted?: boolean): boolean;
  /** Shows text below the conversation; it is made inert. */
  print(text: string): void;
  /** Asks for one line. @returns undefined if the question was taken back */
  ask(question: string): Promise<string | undefined>;
  send(text: string, delivery: UiDelivery): Promise<void>;
  /** Shows another session. @param sessionId or a beginning of it; undefined for a new one */
  open(sessionId: string | undefined): Promise<void>;
  leave(): void;
}

/** One word a person enters after `/`. */
export interface UiCommand extends CommandName {
  readonly aliases?: readonly string[];
  /** Set if it can't do without an argument: what is missing then. */
  readonly needs?: string;
  /** @throws BulkheadError told to the person; the screen stays */
  run(argument: string, seat: UiSeat): Promise<void> | void;
}

/** What was entered. */
export type UiEntry =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'command'; readonly command: UiCommand; readonly argument: string }
  /** No command: what a template makes of it, if there is one of that name. */
  | { readonly kind: 'template'; readonly entry: string; readonly otherwise: string }
  | { readonly kind: 'mistake'; readonly reason: string };

/** The model that answers. */
interface UiModel {
  /** `provider/model` */
  readonly name: string;
  /** Chosen by the person; empty for the configured one. */
  override: string;
}

interface UiImage {
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/** Something the person is told at the beginning. */
export interface UiNotice {
  readonly text: string;
  readonly tone: NoteTone;
}

/** What the terminal UI is given by the program it lives in. */
export interface UiOptions {
  readonly link: UiLink;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly newId: IdSource;
  /** Where new sessions work, absolute. */
  readonly folder: string;
  /** The person's own folder, absolute: what `~` stands for. */
  readonly home: string;
  readonly model: UiModel;
  /** Whether new sessions are off the record; the program may change it. */
  readonly mode: { readonly offTheRecord: boolean };
  readonly dryRun: boolean;
  /** What the person should know before anything else. */
  readonly notices: readonly UiNotice[];
  readonly commands: readonly UiCommand[];
  parse(text: string, commands: readonly UiCommand[]): UiEntry;
  /** Finds or makes a session. @throws BulkheadError for one that can't be shown here */
  place(wanted: string | undefined): Promise<UiPlace>;
  templates(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /** @returns undefined if there is no such template */
  expand(folder: string, entry: string, signal: AbortSignal): Promise<string | undefined>;
  /** @param paths absolute @throws BulkheadError for what is no image, or too large */
  images(paths: readonly string[], content: string): readonly UiImage[];
  /** Remembers the theme for the next time. @throws BulkheadError if it can't */
  keepTheme(theme: ThemeName): void;
  /** The engine is there again. @param print tells the person */
  onBack(print: (text: string) => void): Promise<void>;
  /** Gives the terminal to the shell until the person comes back. */
  suspend(): void;
}

/** How the person left. */
export interface UiEnd {
  /** Empty if there was none yet. */
  readonly sessionId: string;
  /** Whether a run goes on without them, or was to be cancelled and nobody knows yet whether it was. */
  readonly run: 'none' | 'running' | 'cancelling';
  /** Why the connection to the engine ended for good; undefined if it did not. */
  readonly failure?: unknown;
}
