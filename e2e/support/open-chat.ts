import type { Stage } from './stage.ts';
import { KEY, TerminalProcess } from './terminal-process.ts';

/** The line of a chat on a screen that says that there is a session. */
export const READY = /session [0-9A-Z]{26}/;

interface ScreenSize {
  readonly columns?: number;
  readonly rows?: number;
}

/** The environment of a person at a terminal, and no more. */
export function personsEnv(stage: Stage): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: stage.userHome,
    BULKHEAD_HOME: stage.layout.root,
    OLLAMA_HOST: '127.0.0.1:1',
  };
}

/** `bulkhead chat` on a terminal. @param env added to what a person has */
export function openChat(
  stage: Stage,
  args: readonly string[] = [],
  size: ScreenSize = {},
  env: Readonly<Record<string, string>> = {},
): TerminalProcess {
  return new TerminalProcess(['chat', ...args], {
    cwd: stage.folder,
    env: { ...personsEnv(stage), ...env },
    ...size,
  });
}

/** Enters a command, and waits for a word of its answer. */
export async function enterCommand(
  terminal: TerminalProcess,
  command: string,
  answer: string | RegExp,
): Promise<void> {
  // A space ends the list of completions: then Enter is for the line.
  terminal.type(command.includes(' ') ? command : `${command} `);
  await terminal.shows(command);
  terminal.type(KEY.enter);
  await terminal.shows(answer);
}
