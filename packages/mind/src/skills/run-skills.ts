import { type LoadedSkills, skillsIn } from '@bulkhead/agent';
import {
  type KnowledgeIndex,
  type SkillIndex,
  SkillStanding,
  type SkillText,
} from '@bulkhead/protocol/agent';
import type { Message } from '@bulkhead/protocol/chat';
import type { KnowledgeLabels } from './knowledge-labels.ts';
import { type SkillMemory, UNCONFIRMED } from './skill-memory.ts';
import { KNOWLEDGE, type SkillTexts } from './skill-texts.ts';

/** Most names one call may ask for. */
const MAX_NAMES = 10;

/** Most names listed when one is unknown. */
const MAX_KNOWN = 100;

/** Most characters of skills that are sent again: about 25,000 tokens. */
const MAX_RESTORED = 100_000;

/** The skills and knowledge shown to a run. */
export interface SkillFacts {
  readonly skills: SkillIndex;
  readonly knowledge: KnowledgeIndex;
  /** Names that can be loaded. */
  readonly known: readonly string[];
}

/** The skills of one run: what its prompt lists, what its calls load, what it is sent again. */
export class RunSkills {
  readonly facts: SkillFacts;
  readonly #sessionId: string;
  readonly #runId: string;
  readonly #memory: SkillMemory;
  readonly #texts: SkillTexts;
  readonly #labels: KnowledgeLabels;
  /** The texts as first read in this run: it gets the same bytes until its end. */
  readonly #read = new Map<string, SkillText | undefined>();

  constructor(parts: {
    readonly sessionId: string;
    readonly runId: string;
    readonly facts: SkillFacts;
    readonly memory: SkillMemory;
    readonly texts: SkillTexts;
    readonly labels: KnowledgeLabels;
  }) {
    this.facts = parts.facts;
    this.#sessionId = parts.sessionId;
    this.#runId = parts.runId;
    this.#memory = parts.memory;
    this.#texts = parts.texts;
    this.#labels = parts.labels;
  }

  /** Answers a call of `load_skills`; found texts stay loaded for the session. */
  async load(names: readonly string[]): Promise<LoadedSkills> {
    const wanted = [...new Set(names)];
    const found: SkillText[] = [];
    const unknown: string[] = wanted.slice(MAX_NAMES);
    for (const name of wanted.slice(0, MAX_NAMES)) {
      const text = await this.#texts.get(name);
      this.#read.set(name, text);
      this.#note(text);
      if (text === undefined) unknown.push(name);
      else found.push(text);
    }
    this.#memory.add(
      this.#sessionId,
      this.#runId,
      found.map(({ name }) => name),
    );
    return { found, unknown, known: this.facts.known.slice(0, MAX_KNOWN) };
  }

  /**
   * The texts that the session has loaded and `messages` no longer hold: the last loaded get room
   * first; in the order they were loaded.
   */
  async missingFrom(messages: readonly Message[]): Promise<SkillText[]> {
    const shown = skillsIn(messages);
    const missing = this.#memory.names(this.#sessionId).filter((name) => !shown.has(name));
    const restored: SkillText[] = [];
    let room = MAX_RESTORED;
    for (const name of missing.toReversed()) {
      const text = await this.#textOf(name);
      if (text === undefined || text.body.length > room) continue;
      room -= text.body.length;
      this.#note(text);
      restored.unshift(text);
    }
    return restored;
  }

  #note(text: SkillText | undefined): void {
    if (text === undefined || text.standing === SkillStanding.GUIDANCE) return;
    const isKnowledge = text.standing === SkillStanding.REFERENCE;
    const label = isKnowledge
      ? this.#labels.ofFile(text.name.slice(KNOWLEDGE.length), text.body)
      : UNCONFIRMED;
    if (label === undefined) return;
    const words = [text.remark, text.body, ...text.files].join('\n');
    this.#memory.show(this.#sessionId, this.#runId, words, label);
  }

  async #textOf(name: string): Promise<SkillText | undefined> {
    if (!this.#read.has(name)) this.#read.set(name, await this.#texts.get(name));
    return this.#read.get(name);
  }
}
