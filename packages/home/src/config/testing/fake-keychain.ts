import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A system's keychain as a separate program, with its items in a file. */
export interface FakeKeychain {
  /** Variables that a process needs to find it. */
  readonly environment: Readonly<Record<string, string>>;
  /** All arguments of its program, and the names of its variables. */
  calls(): string;
}

/**
 * Behaves like `secret-tool` of libsecret: values on standard output, attributes on standard error.
 */
const SECRET_TOOL = `
const options = words.filter((word) => word.startsWith('--'));
const [action, ...pairs] = words.filter((word) => !word.startsWith('--'));
const at = (name) => pairs[pairs.indexOf(name) + 1];
const id = at('service') + '/' + at('account');
if (action === 'store') { items[id] = input; save(); }
else if (action === 'lookup') { if (items[id] === undefined) process.exit(1); process.stdout.write(items[id]); }
else if (action === 'clear') { delete items[id]; save(); }
else if (action === 'search' && options.includes('--all')) {
  for (const [one, value] of Object.entries(items)) {
    const [service, account] = one.split('/');
    if (service !== at('service')) continue;
    process.stdout.write('[/1]\\nlabel = x\\nsecret = ' + value + '\\n');
    process.stderr.write('attribute.service = ' + service + '\\nattribute.account = ' + account + '\\n');
  }
} else process.exit(2);
`;

/**
 * Behaves like `security` of macOS: 44 for a missing item, hexadecimal for a value that is not
 * plain.
 */
const SECURITY = `
const at = (list, name) => list[list.indexOf(name) + 1];
const id = at(words, '-s') + '/' + at(words, '-a');
if (words[0] === '-i') {
  const line = input.trim().split(' ').map((word) => word.replaceAll('"', ''));
  if (line[0] !== 'add-generic-password' || !line.includes('-U') || input.length > 4096) process.exit(1);
  items[at(line, '-s') + '/' + at(line, '-a')] = Buffer.from(at(line, '-X'), 'hex').toString('utf8');
  save();
} else if (words[0] === 'dump-keychain') {
  for (const one of Object.keys(items)) {
    const [service, account] = one.split('/');
    process.stdout.write('keychain: "login"\\nclass: "genp"\\nattributes:\\n    "acct"<blob>="' + account + '"\\n    "svce"<blob>="' + service + '"\\n');
  }
} else if (items[id] === undefined) process.exit(44);
else if (words[0] === 'delete-generic-password') { delete items[id]; save(); process.stdout.write('password has been deleted.\\n'); }
else if (words[0] === 'find-generic-password' && words.includes('-w')) {
  const plain = /^[ -~]*$/.test(items[id]);
  process.stdout.write((plain ? items[id] : Buffer.from(items[id]).toString('hex')) + '\\n');
} else process.exit(2);
`;

/**
 * Puts a fake of the system's program on a separate PATH.
 *
 * @param folder an empty one
 * @param failure its error message, if every call must fail
 */
export function fakeKeychain(
  folder: string,
  program: 'secret-tool' | 'security',
  failure?: string,
): FakeKeychain {
  const bin = join(folder, 'bin');
  const log = join(folder, 'calls');
  mkdirSync(bin, { recursive: true });
  const body =
    failure === undefined
      ? program === 'security'
        ? SECURITY
        : SECRET_TOOL
      : `
process.stderr.write(${JSON.stringify(failure)});
process.exit(1);
`;
  writeFileSync(
    join(bin, program),
    `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const file = ${JSON.stringify(join(folder, 'items.json'))};
const words = process.argv.slice(2);
appendFileSync(${JSON.stringify(log)}, JSON.stringify([words, Object.keys(process.env)]) + '\\n');
const items = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const save = () => writeFileSync(file, JSON.stringify(items));
const input = readFileSync(0, 'utf8');
${body}`,
  );
  chmodSync(join(bin, program), 0o700);
  return {
    environment: { PATH: bin, HOME: folder, ANTHROPIC_API_KEY: 'not for others' },
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
  };
}
