import { type Clock, inertLine, otherOrigin, type Timers } from '@bulkhead/protocol';
import { ApprovalAnswer } from '@bulkhead/protocol/client';
import type { ApprovalQuestion } from '@bulkhead/protocol/transcript';
import type { Component } from '@earendil-works/pi-tui';
import { matchesKey } from '../library/first-parts.ts';
import { Input } from '../library/later-parts.ts';
import { cut, hang, wrap } from '../look/fit.ts';
import type { Look } from '../look/look.ts';
import type { Style } from '../look/style.ts';
import { DENY, OPTIONS, type Option } from './approval-options.ts';

/**
 * A question accepts no answer before it was visible for this long, milliseconds: earlier keys were
 * not meant for it.
 */
const SETTLE_MS = 600;

/**
 * A letter or number answers if nothing follows it for this long, milliseconds: the first letter of
 * a word must not. One that allows more than this action needs Enter: a word may be typed slowly.
 */
const LONE_KEY_MS = 250;

const SMALL_ROWS = 18;
const REASON_LINES = 3;

/** The last line of the whole action, for comparison byte for byte: the lines above say the same. */
const EXACT_LINE = /\n?exactly: [^\n]*$/;

interface ApprovalPanelOptions {
  readonly question: ApprovalQuestion;
  /** Number of further waiting questions. */
  readonly others: () => number;
  readonly look: Look;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rows: () => number;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
  /** Something to draw changed without a key. */
  readonly onChange: () => void;
  /** Denies, with what the agent should do instead. */
  readonly onInstead: (words: string) => void;
  /**
   * Receives keys that came before the question could be read: they belong to the text being typed.
   */
  readonly early: (data: string) => void;
  /** True while that text is not empty: letters go on with it. */
  readonly hasDraft: () => boolean;
}

/**
 * A question about one action with all its details. A letter or a number answers, or selects what
 * Enter must confirm; Enter chooses the selected option, at first "Deny".
 */
export class ApprovalPanel implements Component {
  readonly #options: ApprovalPanelOptions;
  readonly #choices: readonly Option[];
  #shown: string;
  #isWhole = false;
  /** Monotonic; the wall clock may change meanwhile. */
  #end = 0;
  #at: number;
  #top = 0;
  /** The line for another instruction, while it is typed. */
  #words: Input | undefined;
  #isExact = false;
  /** A key that answers unless another one follows it; without a timer, only Enter confirms it. */
  #lone: { readonly data: string; readonly timer: Disposable | undefined } | undefined;
  #lastKey: number;
  #hidden = 0;

  constructor(options: ApprovalPanelOptions) {
    this.#options = options;
    const { scopes = [] } = options.question;
    this.#choices = OPTIONS.filter(({ scope }) => scope === undefined || scopes.some((one) => one === scope));
    this.#at = this.#choices.indexOf(DENY);
    this.#shown = options.question.shown;
    this.#lastKey = options.clock.monotonic();
  }

  get question(): ApprovalQuestion {
    return this.#options.question;
  }

  /**
   * All of the action, once it was read: only then can it be allowed.
   * @param shown inert
   * @param leftMs until it is denied, by the engine's count
   */
  showAll(shown: string, leftMs: number): void {
    this.#isWhole = true;
    this.#end = this.#options.clock.monotonic() + leftMs;
    // The text that is visible now has not been read yet, and no key was meant for it.
    if (shown !== this.#shown) {
      this.#lastKey = this.#options.clock.monotonic();
      this.#drop();
      this.#at = this.#choices.indexOf(DENY);
    }
    this.#shown = shown;
  }

  handleInput(data: string): void {
    if (!this.#isSettled()) {
      this.#goOn(data);
      return;
    }
    if (this.#words !== undefined) {
      this.#type(data, this.#words);
      return;
    }
    if (this.#followed(data)) return;
    if (matchesKey(data, 'enter')) this.#choose(this.#choices[this.#at]);
    else if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) this.#choose(DENY);
    else if (matchesKey(data, 'up')) this.#at = Math.max(0, this.#at - 1);
    else if (matchesKey(data, 'down')) this.#at = Math.min(this.#choices.length - 1, this.#at + 1);
    else if (matchesKey(data, 'pageUp')) this.#top = Math.max(0, this.#top - this.#height());
    else if (matchesKey(data, 'pageDown')) this.#top = Math.min(this.#hidden, this.#top + this.#height());
    else if (this.#options.hasDraft()) this.#goOn(data);
    else this.#letter(data);
  }

  #letter(data: string): void {
    const option = this.#choices.find(({ key }, at) => matchesKeyText(data, key) || data === String(at + 1));
    if (option !== undefined) this.#waitAlone(data, option);
    else if (matchesKeyText(data, 'd')) this.#isExact = !this.#isExact;
  }

  #waitAlone(data: string, option: Option): void {
    this.#at = this.#choices.indexOf(option);
    const choose = (): void => {
      this.#lone = undefined;
      this.#choose(option);
      this.#options.onChange();
    };
    const timer = option.scope === undefined ? this.#options.timers.after(LONE_KEY_MS, choose) : undefined;
    this.#lone = { data, timer };
  }

  /** The keys belong to the text being typed. */
  #goOn(...keys: readonly string[]): void {
    this.#lastKey = this.#options.clock.monotonic();
    for (const key of keys) this.#options.early(key);
  }

  /** Forgets a waiting key. @returns it */
  #drop(): string | undefined {
    const { data, timer } = this.#lone ?? {};
    timer?.[Symbol.dispose]();
    this.#lone = undefined;
    return data;
  }

  /** @returns true if the key belongs to one before it: Enter confirms that, a letter makes it text */
  #followed(data: string): boolean {
    const lone = this.#drop();
    if (lone === undefined || !/^[^\p{C}]+$/u.test(data)) return false;
    this.#at = this.#choices.indexOf(DENY);
    this.#goOn(lone, data);
    return true;
  }

  #choose(option: Option = DENY): void {
    const { answer } = option;
    if (answer === undefined) {
      this.#words = new Input();
      this.#words.focused = true;
    } else if (this.#isWhole || answer === ApprovalAnswer.DENY) this.#options.onAnswer(answer);
  }

  /** Escape goes back to the options: nothing is answered by leaving the line. */
  #type(data: string, words: Input): void {
    if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) this.#words = undefined;
    else if (!matchesKey(data, 'enter')) words.handleInput(data);
    else if (words.getValue().trim() !== '') this.#options.onInstead(words.getValue().trim());
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { look, question, others } = this.#options;
    const { style } = look;
    const more = others() === 0 ? '' : ` (${others()} more pending)`;
    const from = question.origin === undefined ? '' : otherOrigin(question.origin, 'tui');
    const reason = from === '' ? question.reason : `requested by ${inertLine(from)}; ${question.reason}`;
    const title = cut(style.bold(style.warning(`Allow this ${question.tool}?${more}`)), width);
    const choices = this.#below(width);
    const shown = this.#isExact ? this.#shown : this.#shown.replace(EXACT_LINE, '');
    if (this.#isSmall()) return [title, ...this.#action(`${shown}\n${reason}`, width), ...choices];
    return [
      style.warning('─'.repeat(width)),
      title,
      ...hang('', reason, width).slice(0, REASON_LINES).map(style.dim),
      ...this.#action(shown, width),
      ...choices,
      style.dim(cut(this.#hint(), width)),
    ];
  }

  /** The options, or the line for what to do instead. */
  #below(width: number): string[] {
    if (this.#words === undefined) return this.#choices.map((option, at) => this.#row(option, at, width));
    const { style } = this.#options.look;
    return [cut(style.bold('What should the agent do instead?'), width), ...this.#words.render(width)];
  }

  /** As much of the action as fits, and how to see the rest. */
  #action(text: string, width: number): string[] {
    const { style } = this.#options.look;
    const lines = text
      .split('\n')
      .flatMap((line) => wrap(line, width - 2).map((part) => painted(line.trimStart(), part, style)));
    const height = this.#height();
    this.#hidden = Math.max(0, lines.length - height);
    this.#top = Math.min(this.#top, this.#hidden);
    const below = lines.length - this.#top - height;
    const shown = lines.slice(this.#top, this.#top + height).map((line) => cut(`  ${line}`, width));
    return this.#hidden === 0 ? shown : [...shown, style.warning(cut(scrollHint(this.#top, below), width))];
  }

  #row({ key, label, about, scope }: Option, at: number, width: number): string {
    const { look, question } = this.#options;
    const { style } = look;
    const rule =
      scope === 'always' && question.rule !== undefined ? `: ${question.rule.replaceAll(/\s+/g, ' ')}` : '';
    const text = `${at + 1} ${key} ${label}`;
    // The engine names a grant in words, a rule as JSON.
    const adds = rule.startsWith(': grant ') ? `adds a${rule.slice(1)}` : `${about}${rule}`;
    const more = style.dim(` · ${adds}`);
    return cut(
      at === this.#at ? `${style.accent('›')} ${style.bold(text)}${more}` : `  ${text}${more}`,
      width,
    );
  }

  #hint(): string {
    if (!this.#isSettled()) return 'read it first…';
    if (this.#words !== undefined) return 'Enter denies and sends this · Esc goes back';
    if (!this.#isWhole) return 'loading the whole action; until then you can only deny';
    const left = Math.max(0, Math.round((this.#end - this.#options.clock.monotonic()) / 1_000));
    const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    const exact = EXACT_LINE.test(this.#shown) ? ' · d exact bytes' : '';
    const how = this.#how();
    return `${how} · Esc denies${exact} · denied automatically in ${clock}`;
  }

  #how(): string {
    if (this.#lone !== undefined && this.#lone.timer === undefined) return 'Enter confirms';
    if (this.#options.hasDraft()) return 'arrows and Enter answer; letters go on with your text';
    return 'a letter or number answers (s, a: and Enter)';
  }

  #isSettled(): boolean {
    return this.#options.clock.monotonic() - this.#lastKey >= SETTLE_MS;
  }

  /** A screen on which the action needs every row. */
  #isSmall(): boolean {
    return this.#options.rows() < SMALL_ROWS;
  }

  /** Rows for the action: all rows except those of the panel and the parts around it. */
  #height(): number {
    const others = this.#isSmall() ? 4 : REASON_LINES + 7;
    return Math.max(2, this.#options.rows() - this.#choices.length - others);
  }
}

function matchesKeyText(data: string, key: string): boolean {
  return data === key || data === key.toUpperCase();
}

/** Added and removed lines are marked, also where they wrap. */
function painted(line: string, part: string, { added, removed }: Style): string {
  if (line.startsWith('+')) return added(part);
  return line.startsWith('-') ? removed(part) : part;
}

function scrollHint(above: number, below: number): string {
  const parts = [...(below > 0 ? [`${below} more below`] : []), ...(above > 0 ? [`${above} above`] : [])];
  return `  PgDn: ${parts.join(', ')}`;
}
