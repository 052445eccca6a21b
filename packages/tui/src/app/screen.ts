import type { TranscriptView } from '@bulkhead/protocol/transcript';
import type { AutocompleteProvider, Component, Terminal } from '@earendil-works/pi-tui';
import { setCapabilities, TuiMainScreen } from '../library/first-parts.ts';
import { wrap } from '../look/fit.ts';
import { createLook, type Look, wantsAscii } from '../look/look.ts';
import { createStyle, type ThemeName } from '../look/style.ts';
import { type Entry, Prompt } from '../prompt/prompt.ts';
import { OwnTerminal, type PasteOptions } from '../screen/own-terminal.ts';
import { FRAME_MS } from '../status/frames.ts';
import type { NoteTone, TranscriptPane } from '../transcript/transcript-pane.ts';
import { Bottom } from './bottom.ts';
import type { KeyAction } from './keys.ts';

/** Messages of the screen beside the conversation, and handlers of typed text. */
export interface ScreenDriver {
  readonly onEntry: (text: string, as: Entry) => void;
  /** @returns false if the key has no meaning now: then the prompt gets it */
  readonly onKey: (action: KeyAction) => boolean;
  /** Lines above the prompt: waiting messages and current work. */
  readonly status: (look: Look, width: number) => string[];
  /** The last line. */
  readonly footer: (look: Look, width: number) => string;
  /** True during work, so that something on the screen moves. */
  readonly busy: () => boolean;
}

interface ScreenOptions {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly theme: ThemeName;
  readonly header: (look: Look, width: number) => string[];
  readonly driver: ScreenDriver;
  /** The terminal's own input; absent if the terminal delivers pastes whole. */
  readonly input?: PasteOptions['input'];
}

/**
 * The whole screen, from top to bottom: header, conversation, waiting messages, current work,
 * prompt and last line. It is drawn before a conversation exists: `attach` adds the view of one.
 */
export class Screen implements Disposable {
  readonly prompt: Prompt;
  readonly bottom: Bottom;
  readonly #tui: TuiMainScreen;
  readonly #terminal: Terminal;
  #driver: ScreenDriver;
  #pane: TranscriptPane | undefined;
  #look: Look;
  /** Notices shown before a conversation exists. */
  #early: { readonly text: string; readonly tone: NoteTone }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #started = false;

  constructor({ terminal, env, theme, header, driver, input }: ScreenOptions) {
    this.#driver = driver;
    this.#terminal = terminal;
    this.#look = createLook(theme);
    // Links show their target in plain text, and only text is drawn.
    setCapabilities({ images: null, trueColor: false, hyperlinks: false });
    const onTooLong = (characters: number) => this.say(tooLong(characters), 'warning');
    const pastes = input === undefined ? undefined : { input, most: MOST_CHARACTERS, onTooLong };
    this.#tui = new TuiMainScreen(new OwnTerminal(terminal, wantsAscii(env), pastes));
    this.prompt = new Prompt({
      tui: this.#tui,
      look: this.#look,
      onEntry: (text, as) => this.#driver.onEntry(text, as),
      most: MOST_CHARACTERS,
      onTooLong,
    });
    this.bottom = new Bottom(this.prompt, (action) => this.#driver.onKey(action));
    this.#tui.addChild(drawn((width) => header(this.#look, width)));
    this.#tui.addChild(drawn((width) => this.#pane?.render(width) ?? this.#earlyLines(width)));
    this.#tui.addChild(drawn((width) => this.#driver.status(this.#look, width)));
    this.#tui.addChild(this.bottom);
    this.#tui.addChild(drawn((width) => [this.#driver.footer(this.#look, width)]));
  }

  get look(): Look {
    return this.#look;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /** Takes the terminal and draws. */
  start(): void {
    this.#started = true;
    this.#tui.start();
    this.#tui.setFocus(this.bottom);
    // The content drawn before a suspension remains above, between the shell's output.
    this.#tui.restoreRenderState(NOTHING_DRAWN);
    this.#tui.renderNow();
    this.#keepTurning();
  }

  /** A session exists: another driver gets typed text, and the conversation has a place. */
  attach(driver: ScreenDriver, pane: TranscriptPane, completion: AutocompleteProvider): void {
    this.#driver = driver;
    this.#pane = pane;
    pane.look = this.#look;
    this.prompt.complete(completion);
    this.draw();
  }

  /** A newer state of the same session. */
  show(view: TranscriptView): void {
    if (this.#pane !== undefined) this.#pane.view = view;
    this.draw();
  }

  /** Switches to another session. */
  open(view: TranscriptView): void {
    this.#pane?.open(view);
    for (const { text, tone } of this.#early.splice(0)) this.#pane?.say(text, tone);
    this.draw();
  }

  change(change: Partial<Pick<Look, 'thinking' | 'expanded'>>): void {
    this.#setLook({ ...this.#look, ...change });
  }

  theme(theme: ThemeName): void {
    this.#setLook({ ...this.#look, theme, style: createStyle(theme) });
  }

  /** Shows a notice below the conversation. @param text inert */
  say(text: string, tone: NoteTone = 'dim'): void {
    if (this.#pane === undefined) this.#early.push({ text, tone });
    else this.#pane.say(text, tone);
    this.draw();
  }

  #earlyLines(width: number): string[] {
    return this.#early.flatMap(({ text, tone }) => [...wrap(text, width).map(this.#look.style[tone]), '']);
  }

  /** Draws older items. @returns false if everything is drawn */
  more(): boolean {
    const more = this.#pane?.more() ?? false;
    if (more) this.draw();
    return more;
  }

  draw(): void {
    this.#keepTurning();
    if (this.#started) this.#tui.requestRender();
  }

  /** Returns the terminal. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (!this.#started) return;
    this.#started = false;
    // Draws the last notices too.
    this.#tui.renderNow();
    this.#tui.stop();
  }

  #setLook(look: Look): void {
    this.#look = look;
    if (this.#pane !== undefined) this.#pane.look = look;
    this.prompt.look = look;
    this.draw();
  }

  /** During work, something on the screen moves. */
  #keepTurning(): void {
    const busy = this.#started && this.#driver.busy();
    if (busy && this.#timer === undefined) {
      this.#timer = setInterval(() => this.#tui.requestRender(), FRAME_MS);
    } else if (!busy) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}

/** Longest message that the engine accepts, characters. */
const MOST_CHARACTERS = 1_000_000;

function tooLong(characters: number): string {
  const size = `${(characters / 1_000_000).toFixed(1)} million characters`;
  return `the pasted text has ${size}, and a message takes 1 million: nothing was pasted. Save it to a file, and name the file with @.`;
}

const NOTHING_DRAWN = {
  previousLines: [],
  previousWidth: 0,
  previousHeight: 0,
  cursorRow: 0,
  hardwareCursorRow: 0,
  maxLinesRendered: 0,
  previousViewportTop: 0,
};

function drawn(render: (width: number) => string[]): Component {
  return { render, invalidate: () => undefined };
}
