import type { TranscriptView } from '@bulkhead/protocol/transcript';
import type { NoteTone } from '../transcript/transcript-pane.ts';
import type { Pick } from './panels.ts';
import type { Screen } from './screen.ts';
import type { UiCommand, UiOptions } from './ui-options.ts';

/** The screen's own functions for commands. */
export interface UiActions {
  readonly options: UiOptions;
  readonly screen: Screen;
  readonly commands: readonly UiCommand[];
  readonly sessionId: string;
  readonly view: TranscriptView;
  readonly signal: AbortSignal;
  /** Shows a notice below the conversation, for the person only; makes it inert. */
  say(text: string, tone?: NoteTone): void;
  pick(pick: Pick): void;
  /** Shows another session. @param sessionId an id or its beginning; undefined for a new session */
  open(sessionId: string | undefined): Promise<void>;
  /** Runs a command as if the person had entered it. */
  runCommand(name: string, argument: string): Promise<void>;
}
