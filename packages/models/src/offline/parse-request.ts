import { appendClause, editClause, runClause, writeClause } from './change-clauses.ts';
import type { ClauseRule } from './clause.ts';
import type { Intent } from './intent.ts';
import { countClause, listClause, partClause, rankClause, readClause } from './look-clauses.ts';
import { protectQuotes, type QuotedText } from './quoted-text.ts';
import { findClause, searchClause } from './search-clauses.ts';

const GREETING = /^(?:hi|hello|hey|howdy|good (?:morning|afternoon|evening))\b[^\n]{0,20}$/i;

const greetClause: ClauseRule = (clause) =>
  GREETING.test(clause) || /^(?:say|greet)(?: (?:me|us))? ?(?:hi|hello|hey)?$/i.test(clause)
    ? { kind: 'greet' }
    : undefined;

const helpClause: ClauseRule = (clause) =>
  /^help\b|^what (?:can|do) you (?:do|understand|know)|^how do you work|^who are you|^what are you$/i.test(
    clause,
  )
    ? { kind: 'help' }
    : undefined;

const sayClause: ClauseRule = (clause, quotes) => {
  const text =
    /^(?:say|echo|answer with|reply with|respond with|repeat)(?: exactly| only| just)?:? (.+)$/i.exec(
      clause,
    )?.[1];
  return text === undefined ? undefined : { kind: 'say', text: quotes.unquote(text) };
};

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

/** Words that start a new request after "and" or a comma. */
const VERBS =
  'list|show|read|tell|open|print|display|find|search|grep|look|write|create|make|replace|change|edit|run|execute|count|say|append|cat|view|which|what|how|give|summari[sz]e|explain|delete|remove|rename|move|copy|report';

const BREAK = new RegExp(
  [
    '\\n+',
    '(?<=[?!]) ',
    '\\. (?=\\S)',
    ',? (?:and )?then(?: also)? ',
    `,? and (?:also |please )?(?=(?:${VERBS})\\b)`,
    `, (?=(?:${VERBS})\\b)`,
  ].join('|'),
  'i',
);

const POLITE_START =
  /^(?:(?:please|can you|could you|would you|will you|kindly|now|then|also|and|first|next|finally|i want you to|i would like you to|i'd like you to|let's|go ahead and|use the \w+ tool to|just|ok|okay|hey|so)\b,? )+/i;
const POLITE_END = /[,]? (?:please|for me|thanks|thank you)[.!?]*$/i;

/**
 * The single requests of a message, in order, without polite words and end marks. Quotes must be
 * protected.
 */
function splitClauses(text: string): readonly string[] {
  return text
    .split(BREAK)
    .map((clause) => clause.trim().replace(POLITE_START, '').replace(POLITE_END, ''))
    .map((clause) => clause.replace(/[?!;:,.]+$/, '').trim())
    .filter((clause) => clause !== '');
}
