import { type Clock, inertLine, otherOrigin } from '@bulkhead/protocol';
import { ApprovalAnswer } from '@bulkhead/protocol/client';
import type { ApprovalQuestion } from '@bulkhead/protocol/transcript';
import type { Component } from '@earendil-works/pi-tui';
import { matchesKey } from '../library/first-parts.ts';
import { cut, hang, wrap } from '../look/fit.ts';
import type { Look } from '../look/look.ts';
import type { Style } from '../look/style.ts';

/**
 * A question accepts no answer before it was visible for this long, milliseconds: earlier keys were
 * not meant for it.
 */
const SETTLE_MS = 600;

const SMALL_ROWS = 18;
const REASON_LINES = 3;

interface Option {
  readonly key: string;
  readonly label: string;
  readonly about: string;
  readonly answer: ApprovalAnswer;
  readonly scope?: string;
}

/** The first option is preselected: doing nothing denies. */
const OPTIONS: readonly Option[] = [
  { key: 'n', label: 'Deny', about: 'and tell the agent', answer: ApprovalAnswer.DENY },
  { key: 'y', label: 'Allow once', about: 'exactly as shown', answer: ApprovalAnswer.ALLOW_ONCE },
  {
    key: 's',
    label: 'Always allow in this session',
    about: 'does not ask for this action again',
    answer: ApprovalAnswer.ALLOW_SESSION,
    scope: 'session',
  },
  {
    key: 'a',
    label: 'Always allow',
    about: 'adds a rule to the policy',
    answer: ApprovalAnswer.ALLOW_ALWAYS,
    scope: 'always',
  },
];

interface ApprovalPanelOptions {
  readonly question: ApprovalQuestion;
  /** Number of further waiting questions. */
  readonly others: () => number;
  readonly look: Look;
  readonly clock: Clock;
  readonly rows: () => number;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
  /**
   * Receives keys that came before the question could be read: they belong to the text being typed.
   */
  readonly early: (data: string) => void;
}

/**
 * A question about one action with all its details. Enter chooses the selected option, at first
 * "no"; a letter only selects another option.
 */
export class ApprovalPanel implements Component {
  readonly #options: ApprovalPanelOptions;
  readonly #choices: readonly Option[];
  #shown: string;
  #isWhole = false;
  /** Monotonic; the wall clock may change meanwhile. */
  #end = 0;
  #at = 0;
  #top = 0;
  #lastKey: number;
  #hidden = 0;

  constructor(options: ApprovalPanelOptions) {
    this.#options = options;
    const { scopes = [] } = options.question;
    this.#choices = OPTIONS.filter(({ scope }) => scope === undefined || scopes.some((one) => one === scope));
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
    // The text that is visible now has not been read yet.
    if (shown !== this.#shown) this.#lastKey = this.#options.clock.monotonic();
    this.#shown = shown;
  }

  handleInput(data: string): void {
    if (!this.#isSettled()) {
      this.#lastKey = this.#options.clock.monotonic();
      this.#options.early(data);
      return;
    }
    const typed = this.#choices.findIndex(({ key }) => matchesKeyText(data, key));
    if (matchesKey(data, 'enter')) this.#choose((this.#choices[this.#at] ?? NO).answer);
    else if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c'))
      this.#options.onAnswer(ApprovalAnswer.DENY);
    else if (matchesKey(data, 'up')) this.#at = Math.max(0, this.#at - 1);
    else if (matchesKey(data, 'down')) this.#at = Math.min(this.#choices.length - 1, this.#at + 1);
    else if (matchesKey(data, 'pageUp')) this.#top = Math.max(0, this.#top - this.#height());
    else if (matchesKey(data, 'pageDown')) this.#top = Math.min(this.#hidden, this.#top + this.#height());
    else if (typed >= 0) this.#at = typed;
  }

  #choose(answer: ApprovalAnswer): void {
    if (this.#isWhole || answer === ApprovalAnswer.DENY) this.#options.onAnswer(answer);
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { look, question, others } = this.#options;
    const { style } = look;
    const more = others() === 0 ? '' : ` (${others()} more pending)`;
    const from = question.origin === undefined ? '' : otherOrigin(question.origin, 'tui');
    const reason = from === '' ? question.reason : `requested by ${inertLine(from)}; ${question.reason}`;
    const title = cut(style.bold(style.warning(`Allow this ${question.tool}?${more}`)), width);
    const choices = this.#choices.map((option, at) => this.#row(option, at, width));
    if (this.#isSmall()) return [title, ...this.#action(`${this.#shown}\n${reason}`, width), ...choices];
    return [
      style.warning('─'.repeat(width)),
      title,
      ...hang('', reason, width).slice(0, REASON_LINES).map(style.dim),
      ...this.#action(this.#shown, width),
      ...choices,
      style.dim(cut(this.#hint(), width)),
    ];
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
    const text = `${key} ${label}`;
    const more = style.dim(` · ${about}${rule}`);
    return cut(
      at === this.#at ? `${style.accent('›')} ${style.bold(text)}${more}` : `  ${text}${more}`,
      width,
    );
  }

  #hint(): string {
    if (!this.#isSettled()) return 'read it first…';
    if (!this.#isWhole) return 'loading the whole action; until then you can only deny';
    const left = Math.max(0, Math.round((this.#end - this.#options.clock.monotonic()) / 1_000));
    const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    return `Enter answers · Esc denies · denied automatically in ${clock}`;
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

const NO: Option = { key: 'n', label: 'Deny', about: '', answer: ApprovalAnswer.DENY };

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
