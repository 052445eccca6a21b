/*
 * `npm run fixtures -- --name NAME [--command FILE]`: writes e2e/fixtures/homes/NAME with this
 * build, or another one's command: a home that was lived in, packed, and what clients saw of it
 * (e2e/stored- homes.test.ts). Keys in it are made for it and open nothing else. A fixture that is
 * there is never written anew.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { callProgram, servePage } from '../e2e/stored-homes/answers.ts';
import { clientView } from '../e2e/stored-homes/client-view.ts';
import { FixturePlace, HOMES, OWN_COMMAND } from '../e2e/stored-homes/fixture-place.ts';
import { LifeModel } from '../e2e/stored-homes/life-model.ts';
import { RichLife } from '../e2e/stored-homes/rich-life.ts';

const { values } = parseArgs({
  options: {
    name: { type: 'string' },
    command: { type: 'string', default: OWN_COMMAND },
    output: { type: 'string', default: HOMES },
  },
});
const { name, command } = values;
if (name === undefined || !/^[a-z0-9-]+$/.test(name))
  throw new Error('give --name, as in 2026-11-23-9b1bae23');
const target = join(values.output, name);
if (existsSync(target)) throw new Error(`${target} is there: a fixture is never changed`);

await using page = await servePage();
const model = new LifeModel(page.url);
await using place = await FixturePlace.take(name, model.answer, { command });
const life = new RichLife(place, model, page.url);
await life.live();
const door = await place.door();
const program = await callProgram(door, life.tokens);
const view = await clientView(place, door, life.sessions);
await place.ok(['stop']);
place.pack(join(target, 'home.tar.gz'));
const seen = { page: page.url, sessions: life.sessions, tokens: life.tokens, program, view };
writeFileSync(join(target, 'seen.json.gz'), gzipSync(`${JSON.stringify(seen, null, 1)}\n`, { level: 9 }));
process.stdout.write(`${target}: ${Object.keys(view).length} answers\n`);
