import { term } from './terms.ts';
import { words } from './words.ts';

/**
 * Very common English words: in a question they say less than others, even if they occur only once
 * in the notes. In a memory of some dozen notes, a word's frequency says little.
 */
const PLAIN = `
accord achieve act action activity actual add advance advice affect afford again age ago agree aim allow almost alone already although always amount
another answer anything apart appear approach area around arrive ask aspect attend available away back bad base basis become begin behind believe
benefit best better big bit both bring call care carry case catch cause certain chance change choose circumstance claim clear close come common compare complete
concern condition connect consider contain continue cope cover create current currently daily day deal decide decision degree deliver describe description detail
develop difference different difficult direct discover discuss doing early earn easy effect effort either encounter encourage end engage enjoy enough enter
entire especially even event eventually everyone everything exact example expect experience explain express face fact fail fair fall far fast
feel feeling few figure fill final finally find fine finish first focus follow form former forward free frequent full fun further future gain general
give go goal good great group grow guess hand happen hard hear help high hold hope hour hundred idea identify imagine important improve include
increase individual influence inform initial instead intend interest involve issue item join keep know large last late later learn least leave left
less level life likely line list little live local long look lose lot love low main maintain major manage many matter maybe mean meet
mind minute moment month morning motivate move multiple near necessary need never new next night nice normal note nothing notice number occur
offer often old open opinion option order organize original outcome overall own part partake participate particular pass past pay people perform perhaps period
permit person personal pick piece place plan play point popular possible potential prefer prepare present pretty previous primary probable problem process
produce progress provide purpose push put question quick quite range rather reach react reaction ready real realize reason receive recent recommend
reflect regard relate remain require respond response rest result return right role run same scene second see seem select sense separate serious serve set
several share short show side significant similar simple single situation small smart soon sort specific spend stand start state stay step still stop strong struggle stuff
style subject succeed success suggest support suppose sure surprise take talk tell tend thank thing think third thought thousand through time
today together tomorrow tonight too top topic total toward try turn two typical undertake unique usual value various view visit wait want watch way week weekend
well whole win wish without word work world worry worth wrong year yesterday young
`;

/** Terms that say less than an equally rare other term; see `terms`. */
export function plainTerms(): ReadonlySet<string> {
  return new Set(words(PLAIN).map(term));
}
