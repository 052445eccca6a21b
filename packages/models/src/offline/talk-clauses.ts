import type { ClauseRule } from './clause.ts';

const GREETING = /^(?:hi|hello|hey|howdy|good (?:morning|afternoon|evening))\b[^\n]{0,20}$/i;

export const greetClause: ClauseRule = (clause) =>
  GREETING.test(clause) || /^(?:say|greet)(?: (?:me|us))? ?(?:hi|hello|hey)?$/i.test(clause)
    ? { kind: 'greet' }
    : undefined;

export const helpClause: ClauseRule = (clause) =>
  /^help\b|^what (?:can|do) you (?:do|understand|know)|^how do you work|^who are you|^what are you$/i.test(
    clause,
  )
    ? { kind: 'help' }
    : undefined;

export const sayClause: ClauseRule = (clause, quotes) => {
  const text =
    /^(?:say|echo|answer with|reply with|respond with|repeat)(?: exactly| only| just)?:? (.+)$/i.exec(
      clause,
    )?.[1];
  return text === undefined ? undefined : { kind: 'say', text: quotes.unquote(text) };
};
