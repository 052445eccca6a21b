import type { Attempt, BoxKind } from './attempt.ts';
import type { Outcome } from './outcome.ts';

/** An attempt in JavaScript. */
export interface NodeAttempt extends Attempt {
  /**
   * Statements that may await; throwing means refused. `w` holds the targets, `loot` receives the
   * read data.
   */
  readonly body: string;
}

const refused = ['EPERM', 'EACCES', 'ENOENT', 'ERR_ACCESS_DENIED'];
const done = ['done'];

function attempt(
  ids: string,
  name: string,
  body: string,
  agent: readonly Outcome[] = refused,
  worker: readonly Outcome[] = agent,
  knownBare?: Readonly<Partial<Record<BoxKind, string>>>,
): NodeAttempt {
  return {
    name: `js-${name}`,
    arm: 'node',
    ids: ids.split(' '),
    body,
    expected: { agent, worker },
    control: 'works',
    ...(knownBare === undefined ? {} : { knownBare }),
  };
}

/** Attacks of JavaScript in the agent's or worker's own Node. */
export const nodeAttempts: readonly NodeAttempt[] = [
  attempt('FT01', 'read-sync', `loot(fs.readFileSync(w.secret))`),
  attempt('FT01', 'read-promise', `loot(await fs.promises.readFile(w.secret))`),
  attempt('FT01', 'read-stream', `for await (const part of fs.createReadStream(w.secret)) loot(part)`),
  attempt(
    'FT01',
    'read-in-thread',
    `const worker = new Worker('const { parentPort, workerData } = require("worker_threads"); parentPort.postMessage(require("fs").readFileSync(workerData))', { eval: true, workerData: w.secret });
     const [text] = await once(worker, 'message'); loot(Buffer.from(text))`,
  ),
  attempt(
    'FT01',
    'read-by-binding',
    `const binding = process.binding('fs'); const fd = binding.open(w.secret, 0, 0o666);
     loot(fs.readFileSync(fd))`,
  ),
  attempt('FT01', 'import-outside', `await import(w.module)`, [
    'EPERM',
    'EACCES',
    'ENOENT',
    'ERR_MODULE_NOT_FOUND',
  ]),
  attempt('FT01', 'require-outside', `createRequire('/')(w.module)`, [...refused, 'MODULE_NOT_FOUND']),
  attempt('FT01', 'list-outside', `loot(Buffer.from(fs.readdirSync(w.closed).join()))`),
  attempt(
    'FT03',
    'environment',
    `loot(Buffer.from(JSON.stringify(process.env))); if (Object.keys(process.env).length > 0) return; throw Object.assign(new Error(), { code: 'ENOENT' })`,
  ),
  attempt('FT03', 'parent-environment', `loot(fs.readFileSync('/proc/' + w.parent + '/environ'))`),
  attempt(
    'FT03',
    'show-heap',
    `const v8 = await import('node:v8'); for await (const part of v8.getHeapSnapshot()) loot(Buffer.from(part))`,
    done,
  ),
  attempt(
    'FT03 FT05',
    'inherited-descriptors',
    `
     let found = 0;
     for (let fd = 4; fd < 1024; fd += 1) { try { const facts = fs.fstatSync(fd); if (facts.isFile() && facts.size < 4096) { const text = Buffer.alloc(4096); fs.readSync(fd, text, 0, 4096, 0); loot(text); found += 1; } } catch {} }
     if (found === 0) throw Object.assign(new Error(), { code: 'ENOENT' })`,
  ),
  attempt('FT01', 'write-sync', `fs.appendFileSync(w.secret, '')`),
  attempt('FT01', 'write-promise', `await fs.promises.appendFile(w.secret, '')`),
  attempt(
    'FT01',
    'write-report',
    `process.report.directory = w.closed; process.report.excludeNetwork = true; const name = process.report.writeReport('m-report.json'); fs.rmSync(w.closed + '/m-report.json')`,
    refused,
  ),
  attempt(
    'FT01',
    'write-snapshot',
    `const v8 = await import('node:v8'); fs.rmSync(v8.writeHeapSnapshot(w.closed + '/m-heap'))`,
  ),
  attempt(
    'FT01',
    'database',
    `const { DatabaseSync } = await import('node:sqlite'); new DatabaseSync(w.closed + '/m-database').exec('create table t (a)'); fs.rmSync(w.closed + '/m-database')`,
    [...refused, 'ERR_SQLITE_ERROR'],
  ),
  attempt(
    'FT02',
    'connect',
    `const s = net.connect(w.tcp4, '127.0.0.1'); await once(s, 'connect'); s.destroy()`,
  ),
  attempt(
    'FT02 FT96',
    'connect-named',
    `const s = net.connect(w.socket); await once(s, 'connect'); s.destroy()`,
  ),
  attempt(
    'FT02',
    'connect-abstract',
    `const s = net.connect('\\0' + w.abstract); await once(s, 'connect'); s.destroy()`,
  ),
  attempt(
    'FT02',
    'fetch',
    `try { await fetch('http://127.0.0.1:' + w.tcp4) } catch (error) { if (['EPERM', 'EACCES'].includes(error.cause?.code)) throw error.cause }`,
  ),
  attempt(
    'FT02',
    'datagram',
    `const s = dgram.createSocket('udp4'); await new Promise((yes, no) => { s.on('error', no); s.send('x', w.udp4, '127.0.0.1', (error) => error ? no(error) : yes()); }); s.close()`,
  ),
  attempt(
    'FT02',
    'resolve-name',
    `const dns = await import('node:dns/promises'); await new dns.Resolver({ timeout: 200, tries: 1 }).resolve4('bulkhead.invalid').catch((error) => { if (!['ENOTFOUND', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'ENODATA'].includes(error.code)) throw Object.assign(error, { code: 'EPERM' }) })`,
    ['EPERM', 'ECONNREFUSED'],
  ),
  attempt(
    'FT02',
    'inspector',
    `const inspector = await import('node:inspector'); inspector.open(0, '127.0.0.1'); if (inspector.url() === undefined) throw Object.assign(new Error(), { code: 'EPERM' }); inspector.close()`,
  ),
  attempt('FG1', 'spawn', `const r = child_process.spawnSync('/bin/true'); if (r.error) throw r.error`),
  attempt(
    'FG1',
    'spawn-node',
    `const r = child_process.spawnSync(process.execPath, ['--version']); if (r.error) throw r.error`,
    refused,
    done,
  ),
  attempt(
    'FG1',
    'fork',
    `const c = child_process.fork(w.module); await new Promise((yes, no) => { c.on('error', no); c.on('exit', yes); })`,
    refused,
    done,
  ),
  attempt(
    'FT04',
    'load-library',
    `try { process.dlopen({ exports: {} }, w.library) } catch (error) { if (!error.message.includes('self-register')) throw error }`,
    ['ERR_DLOPEN_FAILED', 'ERR_DLOPEN_DISABLED'],
  ),
  attempt('FT04 FT09', 'signal-parent', `process.kill(w.parent, 0)`, ['EPERM', 'ESRCH']),
  attempt(
    'FT04',
    'slow-parent',
    `const os = await import('node:os'); os.setPriority(w.parent, os.getPriority(w.parent))`,
    ['ERR_SYSTEM_ERROR'],
  ),
  attempt('FT04', 'become-another', `process.setgroups([])`, ['EPERM']),
  attempt('FT01', 'change-mode', `fs.chmodSync(w.secret, 0o666)`),
  attempt('FT01', 'change-times', `fs.utimesSync(w.secret, 1, 1)`),
  attempt('FT01', 'watch', `fs.watch(w.closed).close()`),
  attempt('FT01', 'stat', `fs.statSync(w.secret)`, refused, refused, {
    agent: 'see stat-secret',
    worker: 'see stat-secret',
  }),
  attempt(
    'FT04',
    'run-made-code',
    `await WebAssembly.instantiate(Buffer.from('0061736d01000000', 'hex'))`,
    done,
  ),
];

/**
 * The module that tries them: an attacker for `runBatch`.
 * @param attempts bodies by name
 */
export function nodeAttackModule(attempts: readonly NodeAttempt[]): string {
  const bodies = attempts.map(({ name, body }) => `${JSON.stringify(name)}: async () => { ${body} },`);
  return `
    import fs from 'node:fs'; import net from 'node:net'; import dgram from 'node:dgram';
    import child_process from 'node:child_process'; import { once } from 'node:events';
    import { createRequire } from 'node:module'; import { Worker } from 'node:worker_threads';
    const idle = new Int32Array(new SharedArrayBuffer(4));
    const say = (fd, what) => {
      for (let left = Buffer.from(what); left.length > 0; ) {
        try { left = left.subarray(fs.writeSync(fd, left)); }
        catch (error) { if (error.code !== 'EAGAIN') throw error; Atomics.wait(idle, 0, 0, 5); }
      }
    };
    const loot = (bytes) => say(2, bytes);
    const w = JSON.parse(process.argv[2]);
    const attempts = { ${bodies.join('\n')} };
    const late = (ms) => new Promise((_, no) => setTimeout(() => no({ code: 'hung' }), ms).unref());
    for (const name of process.argv.slice(3)) {
      say(2, '\\n@@' + name + '\\n');
      try {
        await Promise.race([attempts[name](), late(4000)]);
        say(1, name + ' done\\n');
      } catch (error) {
        say(1, name + ' ' + (error.code ?? error.name) + '\\n');
      }
    }
    process.exit(0);`;
}
