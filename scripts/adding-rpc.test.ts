import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/*
 * Adds an RPC to a copy of the checkout: its entry in `client.proto` and its handler. Everything
 * else is generated. A third file to edit fails this test.
 */
const ROOT = dirname(import.meta.dirname);
const LIMIT_MS = 600_000;
const PROTO = 'packages/protocol/proto/bulkhead/client/v1/client.proto';
const HANDLERS = 'packages/engine/src/service/command-calls.ts';

const RPC = `  // Counts the characters of a word. The second sentence describes it.
  rpc CountCharacters(CountCharactersRequest) returns (CountCharactersResponse)
    { option (bulkhead.options.v1.call) = {get: "/characters/{word}", read_only: true}; }
}

message CountCharactersRequest {
  string word = 1;
}

message CountCharactersResponse {
  // Of the word.
  uint32 characters = 1;
}
`;
const HANDLER = `    countCharacters: ({ word }) => ({ characters: word.length }),
  } satisfies Partial<`;

/** Calls it through both APIs, with no code that names the RPC except its caller. */
const CALLER = `
import { createEngineClient } from './packages/client/src/engine-client.ts';
import { GrpcConnection } from './packages/client/src/grpc-connection.ts';
import { clientDoors } from './packages/engine/src/testing/client-doors.ts';
using ended = new DisposableStack();
const doors = await clientDoors(process.argv[2], ended);
const client = createEngineClient(GrpcConnection.open(doors.socket, doors.grpcToken));
const { characters } = await client.call('countCharacters', { word: 'house' });
const get = async (path) => {
  const response = await fetch(new URL(path, doors.address), { headers: { authorization: \`Bearer \${doors.token}\` } });
  return await response.json();
};
const rest = await get('/api/v1/characters/bulkhead');
const { paths } = await get('/openapi.json');
client[Symbol.dispose]();
await doors.end();
process.stdout.write(JSON.stringify({ characters, rest, operation: paths['/api/v1/characters/{word}'] }));
process.exit();
`;

let copy: string;
const at = (path: string): string => join(copy, path);

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'bulkhead-adding-rpc-'));
  for (const path of ['packages', 'scripts', 'api', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, path), at(path), { recursive: true, filter: (one) => !one.includes('node_modules') });
  linkModules();
}, LIMIT_MS);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The modules of the checkout, with our packages as in the copy. */
function linkModules(): void {
  const modules = join(ROOT, 'node_modules');
  cpSync(join(modules, '@bulkhead'), at('node_modules/@bulkhead'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  for (const name of readdirSync(modules))
    if (name !== '@bulkhead') symlinkSync(join(modules, name), at(`node_modules/${name}`));
}

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(at(path), change(readFileSync(at(path), 'utf8')));
}

async function run(args: readonly string[], cwd = copy): Promise<string> {
  const bin = join(ROOT, 'node_modules/.bin');
  const PATH = [dirname(process.execPath), bin, process.env['PATH'] ?? ''].join(delimiter);
  const [program = '', ...rest] = args;
  const child = spawn(program, rest, { cwd, env: { ...process.env, PATH }, timeout: LIMIT_MS });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')}: ${errors}${out}`);
  return out;
}

/** Files of the copy that differ from the checkout. */
function changedFiles(): string[] {
  const files = ['packages', 'scripts', 'api'].flatMap((folder) =>
    readdirSync(at(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(copy, join(entry.parentPath, entry.name))),
  );
  return files.filter((path) => !sameAs(path)).toSorted();
}

function sameAs(path: string): boolean {
  try {
    return readFileSync(join(ROOT, path)).equals(readFileSync(at(path)));
  } catch {
    return false;
  }
}

/** The compiler's errors for the copy's client service. */
function serviceProblems(): readonly string[] {
  const { config } = ts.readConfigFile(at('tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, copy);
  const file = at('packages/engine/src/service/client-service.ts');
  const program = ts.createProgram([file], options);
  const found = program.getSemanticDiagnostics(program.getSourceFile(file));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('adding an RPC', () => {
  it('takes its entry in client.proto and its handler, which the compiler asks for', {
    timeout: LIMIT_MS,
  }, async () => {
    edit(PROTO, (text) => text.replace(/\n\}\n/, `\n${RPC}`));
    await run(['buf', 'generate', '--clean'], at('packages/protocol'));
    expect(serviceProblems()).toEqual([expect.stringContaining("Property 'countCharacters' is missing")]);
    edit(HANDLERS, (text) => text.replace('  } satisfies Partial<', HANDLER));

    const surface = at('scripts/checks/method-surface.ts');
    const printed = `process.stdout.write((await import(${JSON.stringify(surface)})).methodSurface())`;
    writeFileSync(at('api/methods.txt'), await run([process.execPath, '--input-type=module', '-e', printed]));
    expect(readFileSync(at('api/methods.txt'), 'utf8')).toContain(
      'countCharacters GET /api/v1/characters/{word} read-only\n',
    );

    expect(changedFiles()).toEqual(
      [
        PROTO,
        HANDLERS,
        // By `npm run generate` and `npm run check -- --only surface --update-surface`.
        'packages/protocol/src/gen/bulkhead/client/v1/client_pb.ts',
        'packages/protocol/src/gen/comments.ts',
        'packages/protocol/src/gen/methods.ts',
        'api/methods.txt',
      ].toSorted(),
    );

    writeFileSync(at('caller.ts'), CALLER);
    const home = join(copy, 'home');
    const node = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
    const answer = JSON.parse(await run([process.execPath, ...node, at('caller.ts'), home]));
    expect(answer).toMatchObject({
      characters: 5,
      rest: { characters: 8 },
      operation: {
        get: {
          operationId: 'countCharacters',
          summary: 'Counts the characters of a word.',
          description: 'The second sentence describes it.',
          parameters: [{ name: 'word', in: 'path', required: true, schema: { type: 'string' } }],
        },
      },
    });
  });
});
