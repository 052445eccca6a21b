import { term } from './terms.ts';
import { words } from './words.ts';

/**
 * Question and function words without content. The second row is German, the third has words of
 * letters and conversation.
 */
const COMMON = `
a about after all also am an and any are as at be been before being but by can could did do does done during each either else ever
every for from get got had has have he her here hers him his how i if in into is it its just let like me might more most much must my no
nor not of off on once one only or other our ours out over own per s shall she should since so some such t than that the their theirs
them then there these they this those to too under until up upon us very was we were what when where which while who whom whose why will
with within would yes yet you your yours kind sort type name thing
aber als am an auch auf aus bei bin bis da das dass dem den der des die du ein eine einem einen einer es fur hat hatte ich ihr im in ist
ja man mein mich mir mit nach nicht noch nur oder sein sich sie sind so uber um und uns vom von vor wann war was wer wie wir wo zu zum zur
gonna hey hi haha oh okay really thanks wow yeah
remember recall tell said say mention mentioned know according
`;

let made: ReadonlySet<string> | undefined;

/** Terms without content in a question; see {@link terms}. Built once, on first use. */
export function commonTerms(): ReadonlySet<string> {
  made ??= new Set(words(COMMON).map(term));
  return made;
}
