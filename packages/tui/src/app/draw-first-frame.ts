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
  /** The terminal's own input; absent if the terminal delivers pastes whole. */
  readonly input?: PasteOptions['input'];
}

interface DrawnFrame {
  readonly screen: Screen;
  readonly first: FirstFrame;
  /** Fires when the person leaves before a session exists. */
  readonly left: AbortController;
}

/**
 * Takes the terminal and draws everything that needs no engine: it loads little code and sends no
 * request.
 */
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
    // An environment without colours overrides an earlier choice.
    theme: themeOf(env) === 'none' ? 'none' : (theme ?? themeOf(env)),
    header: (look, width) => headerLines({ folder, help: firstVisit }, look, width),
    driver: first,
    ...(input === undefined ? {} : { input }),
  });
  screen.start();
  return { screen, first, left };
}
