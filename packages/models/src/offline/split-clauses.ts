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
export function splitClauses(text: string): readonly string[] {
  return text
    .split(BREAK)
    .map((clause) => clause.trim().replace(POLITE_START, '').replace(POLITE_END, ''))
    .map((clause) => clause.replace(/[?!;:,.]+$/, '').trim())
    .filter((clause) => clause !== '');
}
