import type { TranscriptView } from '@bulkhead/protocol/transcript';
import type { NoteTone } from '../transcript/transcript-pane.ts';
import type { Pick } from './panels.ts';
import type { Screen } from './screen.ts';
import type { UiCommand, UiOptions } from './ui-options.ts';

/** What commands of the screen itself may do with it. */
export interface UiActions {
  readonly options: UiOptions;
  readonly screen: Screen;
  readonly commands: readonly UiCommand[];
  readonly sessionId: string;
  readonly view: TranscriptView;
  readonly signal: AbortSignal;
  /** Says something below the conversation, for the person only; it is made inert. */
  say(text: string, tone?: NoteTone): void;
  pick(pick: Pick): void;
  /** Shows another session. @param sessionId or a beginning of it; undefined for a new one */
  open(sessionId: string | undefined): Promise<void>;
  /** Runs a command as if it had been entered. */
  runCommand(name: string, argument: string): Promise<void>;
}
