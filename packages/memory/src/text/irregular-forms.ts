/** Irregular forms of English words, each row after its base form. */
const ROWS = `
be: am is are was were been being
become: became
begin: began begun
bend: bent
bite: bit bitten
blow: blew blown
break: broke broken
bring: brought
build: built
buy: bought
catch: caught
choose: chose chosen choice
come: came
deal: dealt
die: died dying dead death
dig: dug
do: did done does
draw: drew drawn
dream: dreamt
drink: drank drunk
drive: drove driven
eat: ate eaten
fall: fell fallen
feed: fed
feel: felt
fight: fought
find: found
fly: flew flown flight
forget: forgot forgotten
forgive: forgave forgiven
freeze: froze frozen
get: got gotten
give: gave given gift
go: went gone goes
grow: grew grown growth
hang: hung
have: had has
hear: heard
hide: hid hidden
hold: held
keep: kept
know: knew known knowledge
lay: laid
lead: led
learn: learnt
leave: left
lend: lent
lie: lay lain lying
lose: lost loss
make: made
marry: marriage
mean: meant
meet: met
pay: paid
ride: rode ridden
ring: rang rung
rise: rose risen
run: ran
say: said
see: saw seen sight
sell: sold sale
send: sent
shake: shook shaken
shine: shone
shoot: shot
show: shown
shrink: shrank
sing: sang sung song singer
sink: sank sunk
sit: sat
sleep: slept
slide: slid
speak: spoke spoken speech
spend: spent
stand: stood
steal: stole stolen theft
stick: stuck
strike: struck
swear: swore sworn
sweep: swept
swim: swam swum
take: took taken
teach: taught
tear: tore torn
tell: told
think: thought
throw: threw thrown
understand: understood
wake: woke woken
wear: wore worn
win: won
write: wrote written
good: better best
bad: worse worst
child: children
foot: feet
goose: geese
life: lives
man: men
mouse: mice
person: people
tooth: teeth
wife: wives
woman: women
`;

/** Each irregular form with its base form. */
export function irregularForms(): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const row of ROWS.trim().split('\n')) {
    const [base = '', rest = ''] = row.split(': ');
    for (const form of rest.split(' ')) forms.set(form, base);
  }
  return forms;
}
