import type { Message } from '@bulkhead/protocol/chat';
import { assistantMessage, toolMessage, userMessage } from './messages.ts';

/** Items planted in a session. */
export interface PlantedSession {
  readonly messages: readonly Message[];
  /** Open tasks as written, and those ticked off later. */
  readonly open: readonly string[];
  readonly closed: readonly string[];
  readonly read: readonly string[];
  readonly changed: readonly string[];
}

/** Numbers that look random and depend only on a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * A working session of `turns` turns with tools, tasks that are opened and ticked, and files that
 * are read and changed.
 */
export function longSession(seed: number, turns: number): PlantedSession {
  const planter = new Planter(seed, turns);
  for (let turn = 0; turn < turns; turn += 1) planter.turn(turn);
  return {
    messages: planter.messages,
    open: [...planter.open],
    closed: [...planter.closed],
    read: [...planter.read],
    changed: [...planter.changed],
  };
}

class Planter {
  readonly messages: Message[] = [];
  readonly open = new Set<string>();
  readonly closed = new Set<string>();
  readonly read = new Set<string>();
  readonly changed = new Set<string>();
  readonly #seed: number;
  readonly #turns: number;
  readonly #random: () => number;
  #calls = 0;

  constructor(seed: number, turns: number) {
    this.#seed = seed;
    this.#turns = turns;
    this.#random = seeded(seed);
  }

  turn(turn: number): void {
    const task = `wire part ${turn} of seed ${this.#seed}`;
    const plants = turn % 7 === 0;
    const text = plants ? `\n- [ ] ${task}` : ` go on ${words(this.#random, 30)}`;
    this.messages.push(userMessage(`Step ${turn}.${text}`));
    if (plants) this.open.add(task);
    for (let round = Math.floor(this.#random() * 3); round > 0; round -= 1) this.#round();
    this.messages.push(assistantMessage(this.#closing(turn)));
  }

  #round(): void {
    const batch = Array.from({ length: 1 + Math.floor(this.#random() * 2) }, () => this.#call());
    const calls = batch.map(({ id, name, path }) => ({ id, name, json: JSON.stringify({ path }) }));
    this.messages.push(assistantMessage('let me see', ...calls));
    for (const { id, name, path, fails } of batch) {
      const text = fails ? 'no such file' : words(this.#random, 20 + this.#random() * 600);
      this.messages.push(toolMessage(id, name, text, fails));
      if (!fails) (name === 'read' ? this.read : this.changed).add(path);
    }
  }

  #call() {
    this.#calls += 1;
    const path = `src/part-${Math.floor(this.#random() * this.#turns)}.ts`;
    const name = this.#random() < 0.7 ? 'read' : 'edit';
    return { id: `call-${this.#calls}`, name, path, fails: this.#random() < 0.1 };
  }

  #closing(turn: number): string {
    const done = [...this.open].find(() => this.#random() < 0.1);
    if (done === undefined) return `done with ${turn}`;
    this.open.delete(done);
    this.closed.add(done);
    return `done\n- [x] ${done}`;
  }
}

function words(random: () => number, count: number): string {
  return Array.from({ length: Math.ceil(count) }, () => Math.floor(random() * 1e6).toString(36)).join(' ');
}
