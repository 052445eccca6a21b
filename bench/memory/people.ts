import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A day of a person's notes; lines without the marks of the evidence. */
export interface Note {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly lines: readonly string[];
}

export interface AskedQuestion {
  /** `s`ingle fact, `l`ist over several notes, `t`ime, `i`nference. */
  readonly kind: string;
  readonly question: string;
  /** The lines, each of which has to be found. */
  readonly evidence: readonly Evidence[];
}

export interface Evidence {
  readonly date: string;
  readonly line: string;
}

export interface Person {
  readonly name: string;
  readonly notes: readonly Note[];
  readonly questions: readonly AskedQuestion[];
}

/** Reads `people/*.md` (notes, days headed `%% date`, lines marked `{mark}`) and `*.questions.txt` (`kind | question | marks`). */
export function readPeople(folder = join(import.meta.dirname, 'people')): Person[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -'.md'.length);
      const marks = new Map<string, Evidence>();
      const notes = readNotes(readFileSync(join(folder, file), 'utf8'), marks);
      return {
        name,
        notes,
        questions: readQuestions(readFileSync(join(folder, `${name}.questions.txt`), 'utf8'), marks),
      };
    });
}

function readNotes(text: string, marks: Map<string, Evidence>): Note[] {
  return text
    .split(/^%% /mu)
    .slice(1)
    .map((part) => {
      const [date = '', ...rest] = part.trimEnd().split('\n');
      const lines = rest.map((raw) => {
        const line = raw.replace(/ ?\{[a-z]\d+\}/gu, '');
        for (const [, mark = ''] of raw.matchAll(/\{([a-z]\d+)\}/gu)) marks.set(mark, { date, line });
        return line;
      });
      return { date, lines };
    });
}

function readQuestions(text: string, marks: ReadonlyMap<string, Evidence>): AskedQuestion[] {
  return text
    .trim()
    .split('\n')
    .map((row) => {
      const [kind = '', question = '', wanted = ''] = row.split('|').map((cell) => cell.trim());
      const evidence = wanted.split(' ').map((mark) => {
        const line = marks.get(mark);
        if (line === undefined) throw new Error(`"${question}" names the mark ${mark}, which no line has`);
        return line;
      });
      return { kind, question, evidence };
    });
}
