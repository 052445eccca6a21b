import { appendClause, editClause, runClause, writeClause } from './change-clauses.ts';
import type { ClauseRule } from './clause.ts';
import type { Intent } from './intent.ts';
import { countClause, listClause, partClause, rankClause, readClause } from './look-clauses.ts';
import { protectQuotes, type QuotedText } from './quoted-text.ts';
import { findClause, searchClause } from './search-clauses.ts';
import { splitClauses } from './split-clauses.ts';
import { greetClause, helpClause, sayClause } from './talk-clauses.ts';

/** Bounds the work: no typed request in plain English is longer. */
const LONGEST_REQUEST = 20_000;
const LONGEST_CLAUSE = 1_000;
const MOST_CLAUSES = 6;

/** In order of precedence: the first match decides. */
const RULES: readonly ClauseRule[] = [
  runClause,
  writeClause,
  appendClause,
  editClause,
  greetClause,
  helpClause,
  rankClause,
  countClause,
  partClause,
  findClause,
  searchClause,
  readClause,
  listClause,
  sayClause,
];

/** The parts of a request, in order. Never empty; a part that isn't understood is `unknown`. */
export function parseRequest(request: string): readonly Intent[] {
  const quotes = protectQuotes(request.slice(0, LONGEST_REQUEST));
  const clauses = splitClauses(quotes.text);
  const intents = clauses.slice(0, MOST_CLAUSES).map((clause) => parseClause(clause, quotes));
  const rest = clauses.slice(MOST_CLAUSES).map((clause) => quotes.unquote(clause));
  if (rest.length > 0) intents.push({ kind: 'unknown', text: rest.join('; ') });
  return intents.length === 0 ? [{ kind: 'unknown', text: '' }] : intents;
}

function parseClause(clause: string, quotes: QuotedText): Intent {
  if (clause.length <= LONGEST_CLAUSE) {
    for (const rule of RULES) {
      const intent = rule(clause, quotes);
      if (intent !== undefined) return intent;
    }
  }
  return { kind: 'unknown', text: quotes.unquote(clause) };
}
