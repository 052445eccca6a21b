import type { Intent } from './intent.ts';
import type { QuotedText } from './quoted-text.ts';

/** Reads one kind of clause; undefined if the clause is something else. */
export type ClauseRule = (clause: string, quotes: QuotedText) => Intent | undefined;
