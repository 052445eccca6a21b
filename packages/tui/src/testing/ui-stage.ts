import { setTimeout as sleep } from 'node:timers/promises';
import { type EventBody, systemTimers } from '@bulkhead/protocol';
import { drawFirstFrame } from '../app/draw-first-frame.ts';
import { TerminalUi } from '../app/terminal-ui.ts';
import type { UiCommand, UiEnd, UiEntry, UiOptions } from '../app/ui-options.ts';
import type { ThemeName } from '../look/style.ts';
import { ScriptedLink } from './scripted-link.ts';
import { VirtualTerminal } from './virtual-terminal.ts';

interface StageOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly commands?: readonly UiCommand[];
  /** Events before the UI starts. */
  readonly before?: readonly EventBody[];
  readonly folder?: string;
  readonly theme?: ThemeName;
  readonly firstVisit?: boolean;
}

/** The terminal UI on a terminal in memory, with a scripted engine. The test controls time. */
export class UiStage implements AsyncDisposable {
  readonly terminal: VirtualTerminal;
  readonly link = new ScriptedLink();
  readonly ui: TerminalUi;
  readonly ended: Promise<UiEnd>;
  /** Themes that the UI asked to remember. */
  readonly kept: string[] = [];
  /** Milliseconds, for both clocks. */
  now = Date.parse('2026-01-01T00:00:05Z');
  #ids = 0;

  private constructor({
    columns,
    rows,
    env = {},
    commands = [],
    before = [],
    folder = '',
    theme,
    firstVisit = false,
  }: StageOptions) {
    this.terminal = new VirtualTerminal(columns, rows);
    this.link.tell(...before);
    const clock = { now: () => this.now, monotonic: () => this.now };
    const { screen, first } = drawFirstFrame({
      terminal: this.terminal,
      env: { LANG: 'C.UTF-8', TERM: 'xterm-256color', ...env },
      clock,
      folder,
      theme,
      firstVisit,
    });
    const options: UiOptions = {
      link: this.link,
      clock,
      timers: systemTimers,
      folder,
      home: '/home/ann',
      newId: () => `m${++this.#ids}`,
      model: { name: 'offline/rules', override: '' },
      mode: { offTheRecord: false },
      dryRun: false,
      notices: [],
      commands,
      parse,
      place: async (wanted) => ({
        sessionId: wanted ?? 's',
        folder,
        known: this.link.sessions.find(({ sessionId }) => sessionId === wanted),
      }),
      templates: async () => ['fix-it'],
      expand: async (_folder, entry) => (entry.startsWith('/fix-it') ? 'please fix it' : undefined),
      images: (paths) => paths.map(() => ({ mediaType: 'image/png', data: new Uint8Array([1]) })),
      onBack: async () => undefined,
      keepTheme: (name) => void this.kept.push(name),
      suspend: () => {
        screen[Symbol.dispose]();
        screen.start();
      },
    };
    this.ui = new TerminalUi(options, screen, first);
    this.ended = this.ui.run(undefined).finally(() => screen[Symbol.dispose]());
  }

  /** @returns once the session is on the screen */
  static async open(options: StageOptions = {}): Promise<UiStage> {
    const stage = new UiStage(options);
    await stage.quiet();
    return stage;
  }

  /** Waits until the text is visible. @returns the screen */
  async shows(what: string | RegExp): Promise<string> {
    for (let tries = 0; tries < 400; tries += 1) {
      await this.settled();
      const { text } = this.terminal;
      if (typeof what === 'string' ? text.includes(what) : what.test(text)) return text;
    }
    throw new Error(`${what} is not on the screen:\n${this.terminal.text}`);
  }

  async gone(what: string): Promise<void> {
    for (let tries = 0; tries < 400; tries += 1) {
      await this.settled();
      if (!this.terminal.text.includes(what)) return;
    }
    throw new Error(`${what} is still on the screen:\n${this.terminal.text}`);
  }

  /** Waits until pending events and keys are drawn. */
  async settled(): Promise<void> {
    await sleep(10);
    await this.terminal.drawn();
  }

  /** Waits until all sent events are in the view and drawing has stopped. */
  async quiet(): Promise<void> {
    let before = -1;
    for (let tries = 0; tries < 400; tries += 1) {
      await this.settled();
      await this.settled();
      const { length } = this.terminal.written;
      if (this.ui.view.seq === this.link.seq && length === before) return;
      before = length;
    }
    throw new Error(`something is always drawn:\n${this.terminal.text}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ui.leave();
    await this.ended.catch(() => undefined);
  }
}

/** Reads entries as the command line does, with shorter error messages. */
function parse(text: string, commands: readonly UiCommand[]): UiEntry {
  const [, word, argument = ''] = /^\/([a-z-]+)\s*([^\n]*)$/.exec(text.trim()) ?? [];
  if (word === undefined) return text.trim() === '' ? { kind: 'nothing' } : { kind: 'message', text };
  const command = commands.find(({ name, aliases = [] }) => [name, ...aliases].includes(word));
  if (command !== undefined) return { kind: 'command', command, argument: argument.trim() };
  return { kind: 'template', entry: text.trim(), otherwise: `unknown command /${word}` };
}
