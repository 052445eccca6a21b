import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../src/memory/synthetic-notes.ts';
import type { Note, Person } from './people.ts';

/** Days between two that are asked about, and what is said on each of them. */
const DAYS_BETWEEN = 2;
const LINES_OF_DAY = 12;
/** So many lines of small talk stand between two lines of a day that is asked about, on average. */
const BETWEEN_LINES = 0.5;
const DAY = 86_400_000;
/** The speaker, in each form that the notes have; a line of a list or diary has none. */
const SPOKEN = /^(?:- )?\*{0,2}\p{Lu}\p{L}+(?: said| \(\d\d:\d\d\))?:\*{0,2} /u;

type Talk = ReadonlyMap<string, readonly string[]>;

/**
 * The same person with months of everyday talk around what is asked about, in the same format and by the same speakers: words of the
 * questions in plenty, about others than those asked about. The same for every call.
 */
export function withSmallTalk(person: Person): Person {
  const talk = readTalk(readFileSync(join(import.meta.dirname, 'small-talk.txt'), 'utf8'));
  const speaker = new SmallTalker(talk, beginnings(person), seeded(seedOf(person.name)));
  const taken = new Set(person.notes.map(({ date }) => date));
  const notes = person.notes.flatMap((note, at) => {
    const next = person.notes[at + 1]?.date ?? '';
    const days = between(note.date, next).filter((date) => !taken.has(date));
    return [speaker.mixedInto(note), ...days.map((date) => speaker.day(date))];
  });
  return { ...person, notes };
}

class SmallTalker {
  readonly #talk: Talk;
  readonly #beginnings: readonly string[];
  readonly #random: () => number;
  #turn = 0;

  constructor(talk: Talk, begin: readonly string[], random: () => number) {
    this.#talk = talk;
    this.#beginnings = begin;
    this.#random = random;
  }

  day(date: string): Note {
    return { date, lines: Array.from({ length: LINES_OF_DAY }, () => this.#line()) };
  }

  /** The lines of a note stay as they are. */
  mixedInto({ date, lines }: Note): Note {
    return {
      date,
      lines: lines.flatMap((line) => {
        const spoken = line !== '' && !line.startsWith('#');
        return spoken && this.#random() < BETWEEN_LINES ? [line, this.#line()] : [line];
      }),
    };
  }

  #line(): string {
    this.#turn += 1;
    const begin = this.#beginnings[this.#turn % this.#beginnings.length] ?? '';
    const statement = this.#pick('statements').replace(/\{(\w+)\}/gu, (_, slot: string) => this.#pick(slot));
    if (!SPOKEN.test(begin)) return `${begin}${statement}`;
    const reply = this.#random() < 0.6 ? `${this.#pick('replies')} ` : '';
    const question = this.#random() < 0.4 ? ` ${this.#pick('questions')}` : '';
    return `${begin}${reply}${statement}${question}`;
  }

  #pick(list: string): string {
    const all = this.#talk.get(list) ?? [];
    return all[Math.floor(this.#random() * all.length)] ?? '';
  }
}

/** How lines begin: with each of two speakers in turn, or with the mark of a list, or with nothing. */
function beginnings({ notes }: Person): readonly string[] {
  const lines = notes.flatMap((note) => note.lines);
  const spoken = new Set(
    lines.flatMap((line) => SPOKEN.exec(line) ?? []).map((one) => one.replace(/\d\d:\d\d/u, '20:15')),
  );
  if (spoken.size > 0) return [...spoken];
  return [lines.some((line) => line.startsWith('- ')) ? '- ' : ''];
}

function between(date: string, next: string): string[] {
  const from = Date.parse(date);
  const to = next === '' ? from + 21 * DAY : Date.parse(next);
  const step = (to - from) / (DAYS_BETWEEN + 1);
  const days = Array.from({ length: DAYS_BETWEEN }, (_, at) => from + (at + 1) * step);
  return [...new Set(days.map((day) => new Date(day).toISOString().slice(0, 10)))];
}

function readTalk(text: string): Talk {
  const talk = new Map<string, readonly string[]>();
  for (const part of text.split(/^%% /mu).slice(1)) {
    const [name = '', ...lines] = part.trimEnd().split('\n');
    if (name !== 'slots') talk.set(name, lines);
    else
      for (const line of lines) {
        const [slot = '', values = ''] = line.split(': ');
        talk.set(slot, values.split('|'));
      }
  }
  return talk;
}

function seedOf(name: string): number {
  return [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
}
