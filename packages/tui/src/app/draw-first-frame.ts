import type { Clock } from '@bulkhead/protocol';
import type { Terminal } from '@earendil-works/pi-tui';
import { themeOf } from '../look/look.ts';
import type { ThemeName } from '../look/style.ts';
import type { PasteOptions } from '../screen/own-terminal.ts';
import { FirstFrame } from './first-frame.ts';
import { headerLines } from './header-lines.ts';
import { Screen } from './screen.ts';

interface FirstFrameOptions {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly folder: string;
  readonly theme: ThemeName | undefined;
  readonly firstVisit: boolean;
  /** Where the terminal's own input comes from; absent for one that brings pastes whole. */
  readonly input?: PasteOptions['input'];
}

interface DrawnFrame {
  readonly screen: Screen;
  readonly first: FirstFrame;
  /** Fires when the person leaves before there is a session. */
  readonly left: AbortController;
}

/** Takes the terminal and draws all that can be drawn without an engine: little code is read for it, and nobody is asked. */
export function drawFirstFrame(options: FirstFrameOptions): DrawnFrame {
  const { terminal, env, clock, folder, theme, firstVisit, input } = options;
  const left = new AbortController();
  const first = new FirstFrame({
    now: clock.now,
    prompt: () => screen.prompt,
    draw: () => screen.draw(),
    leave: () => left.abort(),
  });
  const screen: Screen = new Screen({
    terminal,
    env,
    // No colour is what the surroundings ask for, whatever was chosen before.
    theme: themeOf(env) === 'none' ? 'none' : (theme ?? themeOf(env)),
    header: (look, width) => headerLines({ folder, help: firstVisit }, look, width),
    driver: first,
    ...(input === undefined ? {} : { input }),
  });
  screen.start();
  return { screen, first, left };
}
