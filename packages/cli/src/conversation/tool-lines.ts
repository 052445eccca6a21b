import type { SessionEvent } from '@bulkhead/protocol';
import {
  briefArguments,
  type CommandFailure,
  commandFailure,
  errorBrief,
  firstLine,
  keptWords,
  refusalAdvice,
} from '@bulkhead/protocol/transcript';
import { diffLine } from '../output/diff-line.ts';
import type { Output } from '../output/output.ts';

/** Most lines shown of a diff, or of a dry run's effects. */
const MAX_LINES = 60;
/** Most lines shown of a failed command's output. */
const FAILURE_LINES = 12;

/** Shows tool calls, one or two lines each. One per run: it remembers the refused calls. */
export class ToolLines {
  readonly #output: Output;
  readonly #diffs: boolean;
  /** Maps an action to its call, to find the call of a verdict. */
  readonly #calls = new Map<string, string>();
  readonly #refused = new Set<string>();
  /** Changes of the folder, by call: as the engine saw them, not as the command claims. */
  readonly #effects = new Map<string, string>();
  /** Calls that were described and not executed. */
  readonly #described = new Set<string>();

  /** @param options.diffs show the changes of edits */
  constructor(output: Output, options: { readonly diffs: boolean }) {
    this.#output = output;
    this.#diffs = options.diffs;
  }

  show(event: SessionEvent): void {
    const { dim, red } = this.#output.palette;
    switch (event.type) {
      case 'tool_call':
        this.#line(
          `${dim('▸')} ${this.#safe(event.tool)} ${dim(this.#output.safeLine(briefArguments(event.arguments)))}`,
        );
        break;
      case 'action_started':
        this.#calls.set(event.action, event.call);
        break;
      case 'shield_verdict':
        if (event.decision !== 'block') break;
        this.#refuse(event.action);
        this.#line(
          `${red('✗')} blocked by ${this.#safe(event.rule)}: ${this.#safe(firstLine(event.reason))}`,
        );
        this.#line(`  ${dim(refusalAdvice(event.rule))}`);
        break;
      case 'approval_decided':
        this.#decided(event);
        break;
      case 'action_completed':
        if (event.dryRun === true) this.#described.add(event.call);
        this.#keepEffects(event);
        break;
      case 'tool_output':
        if (!this.#refused.has(event.call)) this.#result(event);
        break;
      default:
    }
  }

  #keepEffects(event: Extract<SessionEvent, { type: 'action_completed' }>): void {
    const kept = keptWords(event);
    if (kept !== undefined) this.#effects.set(event.call, ` (${kept.text})`);
  }

  #result(event: Extract<SessionEvent, { type: 'tool_output' }>): void {
    const { dim, red, green, cyan } = this.#output.palette;
    const tool = this.#safe(event.tool);
    if (this.#described.has(event.call) && !event.isError) {
      this.#line(`${cyan('○')} ${tool} ${dim('(dry run, not done)')}`);
      this.#lines(event.text, (line) => this.#safe(line));
      return;
    }
    const effects = this.#effects.get(event.call) ?? '';
    const failure = event.isError ? commandFailure(event.text, FAILURE_LINES) : undefined;
    if (failure !== undefined) {
      this.#failure(`${red('✗')} ${tool}${effects}`, failure);
      return;
    }
    const text = event.isError ? errorBrief(event.text) : summaryOf(event.text);
    const mark = event.isError ? red('✗') : green('✓');
    const said = event.isError ? `: ${this.#safe(text)}` : ` ${dim(this.#safe(text))}`;
    this.#line(`${mark} ${tool}${effects}${said}`);
    this.#diff(event.display);
  }

  /** The last lines of a failed command, how it ended, and what Bulkhead says of it. */
  #failure(head: string, { ended, lines, earlier, notes }: CommandFailure): void {
    const { dim, yellow } = this.#output.palette;
    const [only] = lines;
    const isShort = lines.length <= 1 && earlier === 0;
    const said = isShort && only !== undefined ? `: ${this.#safe(only.trim())}` : '';
    this.#line(`${head}: ${this.#safe(ended)}${said}`);
    if (earlier > 0) this.#line(dim(`  … ${earlier} earlier lines`));
    for (const line of isShort ? [] : lines) this.#line(dim(`  │ ${this.#safe(line)}`));
    for (const note of notes) this.#line(`  ${yellow(this.#safe(note))}`);
  }

  #decided(event: Extract<SessionEvent, { type: 'approval_decided' }>): void {
    const { red, green } = this.#output.palette;
    const who = WHO[event.by] ?? this.#safe(event.by);
    if (event.decision === 'allow') {
      this.#line(`${green('✓')} approved by ${who}`);
    } else {
      this.#refuse(event.action);
      this.#line(`${red('✗')} not approved: ${who}`);
    }
  }

  #refuse(action: string): void {
    const call = this.#calls.get(action);
    if (call !== undefined) this.#refused.add(call);
  }

  #diff(display: string | undefined): void {
    if (!this.#diffs || display === undefined || display === '') return;
    this.#lines(display, (line) => diffLine(line, this.#output, this.#output.palette.dim));
  }

  #lines(text: string, paint: (line: string) => string): void {
    const lines = text.replace(/\n$/, '').split('\n');
    for (const line of lines.slice(0, MAX_LINES)) this.#line(`  ${paint(line)}`);
    if (lines.length > MAX_LINES) this.#line(`  … ${lines.length - MAX_LINES} more lines`);
  }

  #line(text: string): void {
    this.#output.line(text);
  }

  #safe(text: string): string {
    return this.#output.safe(text);
  }
}

const WHO: Readonly<Record<string, string>> = {
  person: 'you',
  run_option: 'the --approve option',
  grant: 'you, for this session',
  limit: 'too many approvals: no new ones for a minute',
  timeout: 'no answer in time',
  nobody: 'no one can approve it (see --approve)',
  cancel: 'the run was cancelled',
  restart: 'the engine stopped first and asks again',
};

function summaryOf(text: string): string {
  const lines = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
  return lines > 1 ? `${lines} lines` : firstLine(text);
}
