import { EQUALS } from './equals.ts';
import { SYNONYMS } from './synonyms.ts';
import { term } from './terms.ts';

/** Related words. */
export interface WordFamilies {
  /**
   * Terms in a note that match this question term, with their nearness; without the term itself.
   */
  relatives(term: string): ReadonlyMap<string, Nearness>;
}

/**
 * `equal`: the same meaning; `synonym`: used interchangeably; `kind`: the question's term names a
 * kind of this. The nearest counts.
 */
type Nearness = 'equal' | 'synonym' | 'kind';

let built: WordFamilies | undefined;

/** Built once from {@link EQUALS}, {@link SYNONYMS} and {@link KINDS}, on first use. */
export function wordFamilies(): WordFamilies {
  built ??= buildFamilies();
  return built;
}

function buildFamilies(): WordFamilies {
  const table = new Map<string, Map<string, Nearness>>();
  for (const row of rows(EQUALS)) for (const asked of row) relate(table, asked, row, 'equal');
  for (const row of rows(SYNONYMS)) for (const asked of row) relate(table, asked, row, 'synonym');
  for (const line of KINDS.trim().split('\n')) {
    const [heads = '', members = ''] = line.split(':');
    for (const head of termsOf(heads)) relate(table, head, termsOf(members), 'kind');
  }
  return { relatives: (asked) => table.get(asked) ?? NONE };
}

const NONE: ReadonlyMap<string, Nearness> = new Map();

function relate(
  table: Map<string, Map<string, Nearness>>,
  asked: string,
  found: readonly string[],
  nearness: Nearness,
): void {
  const relatives = table.get(asked) ?? new Map<string, Nearness>();
  for (const one of found) if (one !== asked && !relatives.has(one)) relatives.set(one, nearness);
  table.set(asked, relatives);
}

function rows(table: string): readonly (readonly string[])[] {
  return table.trim().split('\n').map(termsOf);
}

function termsOf(row: string): readonly string[] {
  return row.trim().split(/\s+/u).map(term);
}

/**
 * Members of kinds, in general English: a question with the kind (before the colon) also finds its
 * members. A question says `pets`, the note says `hamster`.
 */
const KINDS = `
animal pet creature: dog cat puppy kitten hamster rabbit bunny bird parrot fish goldfish turtle tortoise horse pony snake lizard gecko mouse rat ferret cow pig goat sheep hen chicken duck goose fox owl bear deer whale dolphin bee frog hedgehog lamb donkey guinea
dog: puppy pup hound retriever labrador poodle terrier spaniel greyhound shepherd collie beagle dachshund mutt
cat: kitten kitty tabby tomcat
breed: retriever labrador poodle terrier spaniel greyhound shepherd collie beagle dachshund siamese persian
bird: parrot owl pigeon hawk crow swallow sparrow eagle robin gull pelican hen duck goose swan
instrument: piano guitar violin cello flute clarinet drum trumpet trombone saxophone bass harp ukulele organ keyboard viola accordion recorder banjo
music: song band concert choir album singer sing melody tune jazz rock pop classical orchestra guitar piano festival gig
sport exercise workout: football soccer basketball baseball tennis swim run running hike ski surf yoga climb cycle bike volleyball hockey golf gym boxing skate bouldering marathon martial karate pilates dance rugby cricket badminton
hobby activity pastime interest leisure: paint pottery draw read hike camp swim run garden knit cook bake photography dance guitar piano sing climb yoga chess fish sew game gaming woodwork craft sculpture write surf skate cycle
art: paint drawing draw sculpture pottery picture portrait sketch watercolor canvas exhibition gallery photograph
craft handmade: pottery clay knit sew crochet woodwork carve weld weave quilt
book novel reading: read author chapter story page library bookshop bestseller biography series
film movie: watch cinema documentary theater screening trailer director comedy thriller
game: chess card board console video tournament puzzle play player
food dish meal eat: cook pizza pasta soup cake bread salad curry rice sushi taco burger cheese chicken steak pie sandwich breakfast lunch dinner supper recipe dumpling noodle stew barbecue roast
dessert sweet: cake cookie chocolate pie ice brownie pastry muffin candy pudding
drink beverage: coffee tea wine beer juice cocktail water milk smoothie
vegetable: tomato zucchini bean carrot potato onion pea cucumber pumpkin spinach cabbage salad pepper
fruit: apple peach strawberry banana orange cherry pear plum berry grape lemon mango
plant flower grow: rose tulip orchid sunflower lily daisy fern tree herb seed bulb bean tomato cactus basil lavender
family relative: mother mom mum father dad sister brother son daughter aunt uncle cousin grandma grandmother grandpa grandfather nephew niece wife husband twin kid child baby parent grandson granddaughter
parent: mother mom mum father dad
sibling: sister brother twin
child kid: son daughter baby boy girl toddler twin nephew niece
partner spouse: husband wife boyfriend girlfriend fiance fiancee
job occupation profession career work living: teacher nurse doctor engineer lawyer driver chef cook designer artist manager writer programmer developer paramedic vet accountant plumber carpenter pilot translator journalist photographer waiter cashier clerk midwife scientist researcher officer salesman counselor social
study degree major education field: university college course class school master bachelor graduate graduation biology physics chemistry psychology history medicine law engineering diploma seminar
country: germany france spain italy england britain portugal greece sweden norway denmark finland poland canada mexico brazil japan china india thailand australia russia ireland scotland switzerland austria netherlands turkey egypt morocco kenya vietnam korea peru colombia argentina usa america georgia
city town: london paris berlin rome madrid lisbon york chicago boston seattle tokyo vienna amsterdam dublin prague toronto denver barcelona hamburg munich milan miami oslo
place location visit trip travel: beach mountain lake park museum island city country forest coast river camp hotel hike tour desert canyon castle temple
nature outdoor outside: park forest hike mountain beach lake camp river trail garden
vacation holiday trip travel: beach island camp flight hotel road tour abroad weekend
vehicle transport: car bike bicycle motorcycle truck bus train van scooter boat tram plane
furniture: chair table desk shelf sofa bed stool cupboard bookshelf lamp
clothing clothes wear: dress shirt shoe jacket coat hat suit sweater scarf boot sock
color colour: red blue green yellow orange purple pink black white brown grey gray
illness sick disease health medical condition: flu cold fever cancer diabetes asthma allergy heart stroke hospital doctor pain cough surgery operation diagnosis migraine injury broken knee hip blood pressure stent
injury hurt injure accident: break broken sprain twist fracture ankle wrist knee leg arm burn fall cut bruise tear hip
doctor specialist: surgeon neurologist dentist cardiologist therapist pediatrician vet physio
feeling emotion feel: happy sad nervous afraid proud excited angry lonely scared grateful anxious relieved overwhelmed jealous upset worried calm
stress cope relax unwind: yoga meditation run walk swim therapy journal paint music breathe bath calm
celebration celebrate event: birthday wedding party anniversary christmas graduation thanksgiving easter holiday festival
present gift: give birthday necklace card flower ring surprise
money cost price pay paid earn salary: dollar euro pound buck cent fee rent bill cheap expensive wage
volunteer charity: help donate shelter homeless fundraiser community donation cause
religion faith religious: church god pray prayer parish mosque temple synagogue bible
pet-care vet: vaccine walk leash shelter
weather: rain snow storm sun hot cold heat hail wind ice frost
`;
