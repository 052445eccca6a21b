import { type Clock, inertLine, PRODUCT_VERSION } from '@bulkhead/protocol';
import type { Terminal } from '@earendil-works/pi-tui';
import { cut, wrap } from '../look/fit.ts';
import { type Look, themeOf } from '../look/look.ts';
import type { ThemeName } from '../look/style.ts';
import type { PasteOptions } from '../screen/own-terminal.ts';
import { FirstFrame } from './first-frame.ts';
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

/** Hints for a person who sees this screen for the first time. */
const FIRST_VISIT = [
  'Type a task and press Enter. Bulkhead asks before any action that your policy does not decide.',
  'Ctrl-C stops it, /undo undoes its changes, /help lists all commands.',
];

/** The first lines of the screen. @param folder absolute; working folder of new sessions */
function headerLines(
  { folder, help }: { readonly folder: string; readonly help: boolean },
  { style }: Look,
  width: number,
): string[] {
  const name = `${style.bold(style.accent('Bulkhead'))} ${style.dim(`${PRODUCT_VERSION} · ${inertLine(folder)}`)}`;
  const visit = help ? ['', ...FIRST_VISIT.flatMap((line) => wrap(line, width))] : [];
  return [cut(name, width), ...visit, ''];
}
