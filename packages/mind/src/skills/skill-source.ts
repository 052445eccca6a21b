import { create } from '@bufbuild/protobuf';
import { KnowledgeIndexSchema, SkillIndexSchema } from '@bulkhead/protocol/agent';
import { fitIndex, type KnowledgeFile, parseKnowledge, TextFolder } from '@bulkhead/skills';
import { KnowledgeLabels, type LineLabels } from './knowledge-labels.ts';
import { RunSkills, type SkillFacts } from './run-skills.ts';
import type { ListedSkill, SkillLibrary } from './skill-library.ts';
import type { SkillMemory } from './skill-memory.ts';
import { SkillTexts } from './skill-texts.ts';

/** Room in the prompt, in tokens: for the lines of skills, for knowledge that is always there, for the lines of the rest. */
const SKILL_TOKENS = 1_500;
const ALWAYS_CHARACTERS = 8_000;
const KNOWLEDGE_TOKENS = 500;

/** Limit of remembered notices that are shown only once. */
const MAX_TOLD = 1_000;

/** Where runs get their skills and knowledge from. */
export class SkillSource {
  readonly #library: SkillLibrary;
  readonly #memory: SkillMemory;
  readonly #knowledge: TextFolder<KnowledgeFile>;
  readonly #labels: KnowledgeLabels;
  readonly #tell: (warning: string) => void;
  readonly #told = new Set<string>();
  #problems: readonly string[] = [];

  /** @param parts.tell hears once of each skill or file that can't be used, or has changed since it was confirmed */
  constructor(parts: {
    readonly library: SkillLibrary;
    readonly memory: SkillMemory;
    /** Folder of knowledge files. */
    readonly knowledge: string;
    /** Of lines that were moved there from memory. */
    readonly lines: LineLabels;
    readonly tell: (warning: string) => void;
  }) {
    this.#library = parts.library;
    this.#memory = parts.memory;
    this.#knowledge = new TextFolder(parts.knowledge, parseKnowledge);
    this.#labels = new KnowledgeLabels(parts.lines);
    this.#tell = parts.tell;
  }

  /** The problems at the last look of a run. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** @param folder working folder, resolved */
  async forRun(sessionId: string, runId: string, folder: string): Promise<RunSkills> {
    const { skills, warnings } = await this.#library.list(folder);
    const knowledge = this.#knowledge.read();
    const inForce = skills.filter(({ hiddenBy }) => hiddenBy === undefined);
    this.#report([...warnings, ...knowledge.warnings, ...inForce.flatMap(changedSince)]);
    const split = splitKnowledge(knowledge.texts);
    this.#noteKnowledge(sessionId, runId, split);
    return new RunSkills({
      sessionId,
      runId,
      facts: factsOf(inForce, knowledge.texts, split),
      memory: this.#memory,
      texts: new SkillTexts({ library: this.#library, knowledge: this.#knowledge, folder }),
      labels: this.#labels,
    });
  }

  /** Before a prompt holds them: a session that is shown a stranger's line has read it. */
  #noteKnowledge(sessionId: string, runId: string, { always, listed }: SplitKnowledge): void {
    const shown = [
      ...always.map((file) => ({ text: file.text, label: this.#labels.ofFile(file.name, file.text) })),
      ...listed.map((file) => ({ text: file.summary, label: this.#labels.ofSummary(file) })),
    ];
    for (const { text, label } of shown)
      if (label !== undefined) this.#memory.show(sessionId, runId, text, label);
  }

  #report(problems: readonly string[]): void {
    this.#problems = problems;
    for (const problem of problems) {
      if (this.#told.has(problem) || this.#told.size >= MAX_TOLD) continue;
      this.#told.add(problem);
      this.#tell(problem);
    }
  }
}

function changedSince({ name, state, location, hash }: ListedSkill): string[] {
  if (state !== 'changed') return [];
  return [
    `skill ${name} changed since it was confirmed (now ${hash.slice(0, 12)}): it counts as data until you have looked at ${location} and said: bulkhead skill pin ${name}`,
  ];
}

function factsOf(
  skills: readonly ListedSkill[],
  knowledge: readonly KnowledgeFile[],
  { always, listed }: SplitKnowledge,
): SkillFacts {
  const order = [...skills].sort((a, b) => ORIGINS.indexOf(a.origin) - ORIGINS.indexOf(b.origin));
  const lines = order.map(({ name, manifest, state }) => ({
    name,
    text: manifest.description,
    pinned: state === 'pinned',
  }));
  const fitted = fitIndex(lines, SKILL_TOKENS);
  const fittedKnowledge = fitIndex(
    listed.map(({ name, summary }) => ({ name, text: summary })),
    KNOWLEDGE_TOKENS,
  );
  return {
    skills: create(SkillIndexSchema, {
      lines: fitted.lines.map(({ name, text, pinned }) => ({ name, description: text, pinned })),
      leftOut: fitted.leftOut,
    }),
    knowledge: create(KnowledgeIndexSchema, {
      always: always.map(({ name, text }) => ({ name, text })),
      listed: fittedKnowledge.lines.map(({ name, text }) => ({ name, summary: text })),
      leftOut: fittedKnowledge.leftOut,
    }),
    known: [...order.map(({ name }) => name), ...knowledge.map(({ name }) => `knowledge/${name}`)],
  };
}

const ORIGINS: readonly string[] = ['folder', 'profile', 'global', 'built-in'];

/** Knowledge that a prompt holds whole, and knowledge that it lists by a line. */
interface SplitKnowledge {
  readonly always: readonly KnowledgeFile[];
  readonly listed: readonly KnowledgeFile[];
}

/** Knowledge without room for its whole text is listed like the rest. */
function splitKnowledge(knowledge: readonly KnowledgeFile[]): SplitKnowledge {
  const always: KnowledgeFile[] = [];
  const listed: KnowledgeFile[] = [];
  let room = ALWAYS_CHARACTERS;
  for (const file of knowledge) {
    const fits = file.always && file.text.length <= room;
    if (fits) room -= file.text.length;
    (fits ? always : listed).push(file);
  }
  return { always, listed };
}
