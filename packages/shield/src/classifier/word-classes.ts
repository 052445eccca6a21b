import { OBJECT_WORDS, VERB_WORDS } from '../analysis/arguments/effect-words.ts';

/**
 * Words with the same role in instructions to a machine, besides the classes of effect words: the
 * addressee, obligation, rules to ignore, and framing.
 */
const CLASSES: Readonly<Record<string, string>> = {
  AGENT:
    'assistant assistants agent agents ai ais llm llms model models chatbot chatbots bot bots copilot gpt claude gemini assistent asistente modelo modèle ia ki sprachmodell',
  YOU: 'you your yours yourself du dich dir dein deine deinen vous votre vos tu te ton usted ustedes',
  MUST: 'must should shall need needs required requires mandatory essential necessary have ought musst sollst muss doit devez dois debes debe tienes',
  ASIDE:
    'previous prior earlier above preceding former original initial past vorherigen bisherigen précédentes anteriores previas eerdere',
  NEW: 'new instead now actually following updated revised next real additional extra',
  FIRST: 'before first after once when while until then finally also additionally whenever',
  NOT: 'not never dont without no nothing nobody kein nie nicht ne pas sin no',
  TELL: 'tell mention inform notify reveal say ask confirm show disclose alert',
  USER: 'user users human operator owner person',
  ROLE: 'system admin administrator developer root override important attention urgent notice critical warning',
  PRIVILEGE:
    'permission access rights full unrestricted unlimited privileges authority authorised authorized cleared',
  MONEY: 'transfer wire pay payment funds money balance account bitcoin wallet dollars euros',
  PERSON: 'i me my we our us he she they his her their him them',
  PAST: 'was were had did said went came made sent gave got asked told wrote found took',
  POLITE: 'please kindly thanks thank regards dear hi hello best cheers sincerely',
};

const WORD_CLASSES: ReadonlyMap<string, string> = new Map([
  ...[...OBJECT_WORDS].map(([word, classes]) => [word, `o:${[...classes][0] ?? ''}`] as const),
  ...[...VERB_WORDS].map(([word, classes]) => [word, `v:${[...classes][0] ?? ''}`] as const),
  ...Object.entries(CLASSES).flatMap(([name, words]) =>
    words.split(' ').map((word) => [word, name] as const),
  ),
]);

/** An address of mail or of the web, a word, a number, the end of a sentence, a run of one sign. */
const TOKEN =
  /[a-z0-9_.+-]+@[a-z0-9.-]+|\b[a-z][a-z0-9+]{1,9}:\/\/[^\s"'<>)]+|[\p{L}\p{M}']+|\p{N}+|[.!?\n]|([^\s\p{L}\p{M}\p{N}])\1*/gu;

/**
 * Returns a lower-case text as a row of classes: a word's class if it has one, `ADDRESS`, `NUMBER`,
 * `STOP` at the end of a sentence, a sign itself; other words only mark their place.
 */
export function wordClasses(text: string): readonly string[] {
  return (text.match(TOKEN) ?? []).map(classOf);
}

function classOf(token: string): string {
  const known = WORD_CLASSES.get(token);
  if (known !== undefined) return known;
  if (token === '.' || token === '!' || token === '?' || token === '\n') return 'STOP';
  if (/^[\p{L}\p{M}']/u.test(token)) return token.length > 2 && /[@:]/.test(token) ? 'ADDRESS' : 'WORD';
  return /^\p{N}/u.test(token) ? 'NUMBER' : token.slice(0, 1);
}
