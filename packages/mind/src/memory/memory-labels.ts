import type { MemoryHit, ProfileFiles } from '@bulkhead/memory';
import type { Redaction } from '@bulkhead/protocol';
import { joinLabels, type Label, needsLabel } from '@bulkhead/shield';
import type { LineRecords } from './line-records.ts';
import { sessionOf } from './session-texts.ts';

/** Most that is read of a file to find the whole lines of a hit, bytes. */
const MAX_READ = 16 * 1024 * 1024;

/** Lines of unknown origin count as anyone's. */
const UNKNOWN: Label = { secrecy: 'internal', trust: 'external' };

interface MemoryLabelsParts {
  readonly files: ProfileFiles;
  readonly records: LineRecords;
  /** Of a session, read from its log if nothing is kept of it. */
  labelOfSession(sessionId: string): Label;
  /** Hits may have been redacted: they are compared with what files say then. */
  readonly redaction: Redaction;
}

/** The labels of memory: each line permanently carries that of the session that wrote it [F2]. */
export class MemoryLabels {
  readonly #parts: MemoryLabelsParts;

  constructor(parts: MemoryLabelsParts) {
    this.#parts = parts;
  }

  /** The worst label of what was found; undefined if none needs one. */
  ofHits(hits: readonly MemoryHit[]): Label | undefined {
    return worst(hits.map((hit) => this.#ofHit(hit)));
  }

  /** The worst label of a text out of memory. */
  ofText(text: string): Label | undefined {
    const { records } = this.#parts;
    return records.hasLabels() ? records.labelOf(text.split(/\r?\n/u)) : undefined;
  }

  /** Lines of a file that carry a label, and the worst of them. For what is in every prompt without being searched. */
  ofFile(path: string): { readonly text: string; readonly label: Label } | undefined {
    const { records } = this.#parts;
    if (!records.hasLabels()) return undefined;
    const lines = this.#linesOf(path).filter((line) => records.labelOf([line]) !== undefined);
    const label = records.labelOf(lines);
    return label === undefined ? undefined : { text: lines.join('\n'), label };
  }

  #ofHit({ path, heading, lines: [first, last], text }: MemoryHit): Label | undefined {
    const session = sessionOf(path);
    if (session !== undefined) {
      const label = this.#parts.labelOfSession(session);
      return needsLabel(label) ? label : undefined;
    }
    const { records } = this.#parts;
    if (!records.hasLabels()) return undefined;
    // A hit may hold pieces of lines: the lines themselves say what they carry, if they are still those that it was made of.
    const whole = this.#linesOf(path).slice(first - 1, last);
    if (!this.#holds(whole, text)) return UNKNOWN;
    return records.labelOf([...heading.split(' > '), ...text.split(/\r?\n/u), ...whole]);
  }

  /** Line by line, without blanks: an index cuts lines that are too long, and the pieces overlap. */
  #holds(lines: readonly string[], text: string): boolean {
    const whole = lines.join('\n').replaceAll('\0', '\ufffd');
    const says = [whole, this.#parts.redaction.redact(whole)].map(withoutBlanks);
    return text.split(/\r?\n/u).every((line) => says.some((one) => one.includes(withoutBlanks(line))));
  }

  #linesOf(path: string): readonly string[] {
    const bytes = this.#parts.files.read(path, MAX_READ)?.bytes ?? new Uint8Array();
    return new TextDecoder().decode(bytes).split(/\r?\n/u);
  }
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/gu, '');
}

/** The worst of some labels; undefined if there is none. */
export function worst(labels: readonly (Label | undefined)[]): Label | undefined {
  return labels.reduce(
    (all, label) => (all === undefined || label === undefined ? (all ?? label) : joinLabels(all, label)),
    undefined,
  );
}
