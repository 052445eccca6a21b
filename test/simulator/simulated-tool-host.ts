import { BulkheadError, type ToolHost, type ToolHostCall, type ToolResult } from '@bulkhead/protocol';
import type { SeededRandom } from '@bulkhead/testkit/simulation';
import type { EffectLedger, Execution } from './effect-ledger.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Life } from './life.ts';
import type { SimulatedFiles } from './simulated-files.ts';
import { readArguments, type ToolArguments } from './simulated-tools.ts';

/** How long a host may take to stop a tool, in milliseconds. */
const KILL_MS = 40;

interface HostParts {
  readonly life: Life;
  readonly random: SeededRandom;
  readonly faults: () => FaultPlan;
  readonly ledger: EffectLedger;
  readonly files: SimulatedFiles;
  readonly effectOf: (tool: string) => Execution['effect'];
  /** Called before an execution: the check that the records are already on disk. */
  readonly starting: (call: ToolHostCall) => void;
}

/**
 * Workers as one engine has them. Each execution starts, takes effect and is answered in three
 * steps, between which the engine, or the worker, may die; an abort comes before its effect or too
 * late.
 */
export class SimulatedToolHost implements ToolHost {
  readonly #parts: HostParts;
  readonly #underWay = new Set<{ readonly execution: Execution; takeEffect(): void }>();

  constructor(parts: HostParts) {
    this.#parts = parts;
    parts.life.onDeath(() => this.#settleAtDeath());
  }

  async execute(
    call: ToolHostCall,
    update: (text: string) => void,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const { life, starting, ledger, random, faults, effectOf } = this.#parts;
    life.check();
    starting(call);
    const args = argumentsOf(call);
    const { actionId, sessionId, tool } = call;
    const effect = effectOf(tool);
    const execution = ledger.start({
      actionId,
      sessionId,
      tool,
      effect,
      token: args.token,
      life: life.number,
    });
    const work = { execution, takeEffect: () => this.#takeEffect(call, args, execution) };
    this.#underWay.add(work);
    try {
      if (!(await this.#sleep(`${tool} ${args.token} takes effect`, signal))) return stopped;
      if (random.chance(faults().workerFails)) throw failed('before');
      work.takeEffect();
      update(`did ${args.token}`);
      if (!(await this.#sleep(`${tool} ${args.token} answers`, signal))) return stopped;
      if (random.chance(faults().workerFails)) throw failed('after');
      execution.answered = true;
      return this.#result(call, args);
    } finally {
      if (life.death === undefined) this.#underWay.delete(work);
    }
  }

  async plan(call: ToolHostCall, signal: AbortSignal) {
    const { life } = this.#parts;
    life.check();
    await life.scope.wait(`${call.tool} is planned`, { signal });
    const args = argumentsOf(call);
    const content = this.#contentAfter(call, args);
    const change =
      content === undefined ? [] : [this.#parts.files.change(call.sessionId, args.path, content)];
    return { text: `would ${call.tool}`, isError: false, changes: change };
  }

  async inspect(
    where: { readonly sessionId: string; readonly paths: readonly string[] },
    signal: AbortSignal,
  ) {
    const { life, random, faults, files } = this.#parts;
    life.check();
    await life.scope.wait('files are inspected', { signal });
    if (random.chance(faults().workerFails)) throw failed('before');
    return where.paths.map((path) => files.state(where.sessionId, path));
  }

  /** @returns false if it was stopped before its end */
  async #sleep(label: string, signal: AbortSignal): Promise<boolean> {
    const { scope } = this.#parts.life;
    try {
      await scope.wait(label, { signal });
      return true;
    } catch {
      await scope.wait('a tool is stopped', { ms: this.#parts.random.below(KILL_MS) });
      return false;
    }
  }

  #takeEffect(call: ToolHostCall, args: ToolArguments, execution: Execution): void {
    execution.happened = true;
    const content = this.#contentAfter(call, args);
    if (content !== undefined) this.#parts.files.write(call.sessionId, args.path, content);
  }

  #contentAfter({ sessionId, tool }: ToolHostCall, { path, token }: ToolArguments): string | undefined {
    if (tool === 'put') return token;
    if (tool === 'add') return `${this.#parts.files.read(sessionId, path) ?? ''} ${token}`;
    return undefined;
  }

  #result({ sessionId, tool }: ToolHostCall, { path, token }: ToolArguments): ToolResult {
    const { files, random } = this.#parts;
    if (tool === 'look') return { text: files.read(sessionId, path) ?? 'no such file', isError: false };
    if (random.chance(0.1)) return { text: `${token} went wrong`, isError: true };
    return { text: `did ${token}`, isError: false, ...(random.chance(0.05) ? { terminate: true } : {}) };
  }

  /** A tool may have executed its next step when its engine died. */
  #settleAtDeath(): void {
    for (const { execution, takeEffect } of this.#underWay) {
      if (!execution.happened && this.#parts.random.chance(0.5)) takeEffect();
    }
    this.#underWay.clear();
  }
}

const stopped: ToolResult = { text: 'stopped', isError: true };

function failed(when: string): BulkheadError {
  return new BulkheadError('worker_failed', `the worker died ${when} the effect (simulated)`);
}

function argumentsOf(call: ToolHostCall): ToolArguments {
  return readArguments(JSON.parse(call.canonicalArguments));
}
