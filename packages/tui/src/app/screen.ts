import type { Clock } from '@bulkhead/protocol';
import { emptyTranscript, type TranscriptView } from '@bulkhead/protocol/transcript';
import { type Component, setCapabilities, type Terminal, TuiMainScreen } from '@earendil-works/pi-tui';
import { createLook, type Look, themeOf, wantsAscii } from '../look/look.ts';
import { createStyle, type ThemeName } from '../look/style.ts';
import { Prompt } from '../prompt/prompt.ts';
import { OwnTerminal } from '../screen/own-terminal.ts';
import { activityLine, FRAME_MS } from '../status/activity-line.ts';
import { type FooterFacts, footer } from '../status/footer.ts';
import { queueLines } from '../status/queue-lines.ts';
import { TranscriptPane } from '../transcript/transcript-pane.ts';
import { Bottom } from './bottom.ts';
import type { KeyAction } from './keys.ts';
import type { UiOptions } from './ui-options.ts';

interface ScreenOptions {
  readonly terminal: Terminal;
  readonly env: UiOptions['env'];
  readonly clock: Clock;
  readonly onFirstPaint: (() => void) | undefined;
  readonly completion: ConstructorParameters<typeof Prompt>[0]['completion'];
  readonly onEntry: ConstructorParameters<typeof Prompt>[0]['onEntry'];
  readonly onKey: (action: KeyAction) => boolean;
  /** What the last lines tell beside the conversation. */
  readonly facts: () => FooterFacts;
  /** Text of the messages sent from here, by id. */
  readonly own: ReadonlyMap<string, string>;
  /** True if the session works, or is about to. */
  readonly busy: () => boolean;
}

/** All that is drawn, from top to bottom: the conversation, what waits, what goes on, where a person types, and the last line. */
export class Screen implements Disposable {
  readonly prompt: Prompt;
  readonly bottom: Bottom;
  readonly pane: TranscriptPane;
  readonly #tui: TuiMainScreen;
  readonly #options: ScreenOptions;
  #look: Look;
  #view: TranscriptView = emptyTranscript();
  #timer: NodeJS.Timeout | undefined;
  #started = false;

  constructor(options: ScreenOptions) {
    const { terminal, env, onFirstPaint, onEntry, onKey, completion } = options;
    this.#options = options;
    this.#look = createLook(themeOf(env));
    // Links show their target in plain sight, and nothing but text is drawn.
    setCapabilities({ images: null, trueColor: false, hyperlinks: false });
    this.#tui = new TuiMainScreen(new OwnTerminal(terminal, wantsAscii(env), onFirstPaint));
    this.prompt = new Prompt({ tui: this.#tui, look: this.#look, completion, onEntry });
    this.bottom = new Bottom(this.prompt, onKey);
    this.pane = new TranscriptPane(this.#view, this.#look);
    this.#tui.addChild(this.pane);
    this.#tui.addChild(drawn((width) => this.#status(width)));
    this.#tui.addChild(this.bottom);
    this.#tui.addChild(drawn((width) => [footer(this.#view, options.facts(), this.#look, width)]));
  }

  get look(): Look {
    return this.#look;
  }

  get rows(): number {
    return this.#options.terminal.rows;
  }

  /** Takes the terminal and draws. */
  start(): void {
    this.#started = true;
    this.#tui.start();
    this.#tui.setFocus(this.bottom);
    this.#tui.renderNow();
  }

  /** The same session, further on. */
  show(view: TranscriptView): void {
    this.#view = view;
    this.pane.view = view;
    this.draw();
  }

  /** Another session. */
  open(view: TranscriptView): void {
    this.#view = view;
    this.pane.open(view);
    this.draw();
  }

  change(change: Partial<Pick<Look, 'thinking' | 'expanded'>>): void {
    this.#setLook({ ...this.#look, ...change });
  }

  theme(theme: ThemeName): void {
    this.#setLook({ ...this.#look, theme, style: createStyle(theme) });
  }

  /** Says something below the conversation. @param text inert */
  say(text: string): void {
    this.pane.say(text);
    this.draw();
  }

  draw(): void {
    this.#keepTurning();
    if (this.#started) this.#tui.requestRender();
  }

  /** Gives the terminal back. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.#started) this.#tui.stop();
    this.#started = false;
  }

  #setLook(look: Look): void {
    this.#look = look;
    this.pane.look = look;
    this.prompt.borderColor = look.style.dim;
    this.draw();
  }

  #status(width: number): string[] {
    const lines = queueLines(this.#view, this.#options.own, this.#look, width);
    if (!this.#options.busy()) return lines;
    return [...lines, activityLine(this.#view, this.#options.clock.now(), this.#look, width)];
  }

  /** While the session works, something on the screen moves. */
  #keepTurning(): void {
    const busy = this.#started && this.#options.busy();
    if (busy && this.#timer === undefined) {
      this.#timer = setInterval(() => this.#tui.requestRender(), FRAME_MS);
    } else if (!busy) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}

function drawn(render: (width: number) => string[]): Component {
  return { render, invalidate: () => undefined };
}
