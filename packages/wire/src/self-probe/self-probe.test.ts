import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerControl, CONTROL_OPTION, readControl } from './answer-control.ts';
import { attackOwnBox, DID } from './attack-own-box.ts';
import { attempts } from './attempts.ts';
import { judgeControl, judgeFindings } from './judge-findings.ts';
import {
  abstractSocketOf,
  canaryOf,
  formatAims,
  type ProbeAims,
  parseAims,
  programOf,
  socketOf,
} from './probe-aims.ts';

const AGENT = {
  name: 'agent',
  folderGranted: false,
  nameSpaces: false,
  thorough: true,
};
const QUICK = attempts.filter(({ slow }) => slow !== true);
const refused = Object.fromEntries(attempts.map(({ name, refusals }) => [name, refusals[0] ?? '']));

describe('aims', () => {
  it('come through a command line as they are', () => {
    const aim = fc.record({
      pid: fc.nat(),
      tcpPort: fc.nat(65_535),
      udpPort: fc.nat(65_535),
      nonce: fc.stringMatching(/^[0-9a-f]{1,32}$/),
      folder: fc.string().map((name) => `/${name}`),
      folderGranted: fc.boolean(),
      thorough: fc.boolean(),
    });
    fc.assert(
      fc.property(aim, (aims) => {
        expect(parseAims(formatAims(aims))).toEqual(aims);
      }),
    );
  });

  it.each(['', 'all', 'all,1,2,3,ab', 'all,1,2,3,ab,relative', 'some,1,2,3,ab,/x', 'all,1,2,3,no,/x'])(
    'are refused in any other form: %s',
    (text) => expect(parseAims(text)).toBeUndefined(),
  );
});

describe('attempts with no box around them', () => {
  let folder: string;
  let opened: AsyncDisposableStack;
  let aims: ProbeAims;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-attempts-'));
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    const listen = async (where: { path: string } | { port: number; host: string }) => {
      const server = createServer((socket) => socket.destroy()).listen(where);
      opened.defer(() => void server.close());
      await once(server, 'listening');
      return server.address();
    };
    const tcp = await listen({ port: 0, host: '127.0.0.1' });
    const udp = createSocket('udp4').bind(0, '127.0.0.1');
    opened.defer(() => void udp.close());
    await once(udp, 'listening');
    const tcpPort = typeof tcp === 'object' ? (tcp?.port ?? 0) : 0;
    aims = {
      pid: process.pid,
      tcpPort,
      udpPort: udp.address().port,
      nonce: 'ab12',
      folder,
      folderGranted: false,
      thorough: true,
    };
    writeFileSync(canaryOf(aims), 'canary');
    spawnSync('cp', ['/bin/true', programOf(aims)]);
    await listen({ path: socketOf(aims) });
    await listen({ path: abstractSocketOf(aims) });
  });
  afterEach(() => opened.disposeAsync());

  it('all succeed and leave nothing behind, so that none is a refusal by accident', async () => {
    const findings = await attackOwnBox(aims);
    expect(findings).toEqual(Object.fromEntries(attempts.map(({ name }) => [name, DID])));
    expect(() => judgeControl(findings, 'agent')).not.toThrow();
    expect(readdirSync(folder).sort()).toEqual(['canary', 'program', 'socket']);
  });

  it('leave the slow ones out where they are not asked for', async () => {
    const findings = await attackOwnBox({ ...aims, thorough: false });
    expect(Object.keys(findings).sort()).toEqual(QUICK.map(({ name }) => name).sort());
  });

  it('are reported by a control line by line, and read back', async () => {
    const told = await answerControl([CONTROL_OPTION, formatAims(aims)]);
    expect(readControl(told ?? '')).toEqual(await attackOwnBox(aims));
    expect(await answerControl(['--token', 't'])).toBeUndefined();
    expect(await answerControl([CONTROL_OPTION, 'nonsense'])).toBeUndefined();
  });

  it('count as useless if one fails here as well', async () => {
    rmSync(canaryOf(aims));
    const findings = await attackOwnBox(aims);
    expect(() => judgeControl(findings, 'agent')).toThrow(/change-file: ENOENT, read-file: ENOENT$/);
  });
});

describe('the judgement', () => {
  it('admits a box that refused everything', () => {
    expect(() => judgeFindings(refused, AGENT)).not.toThrow();
    const quick = Object.fromEntries(QUICK.map(({ name }) => [name, refused[name] ?? '']));
    expect(() => judgeFindings(quick, { ...AGENT, thorough: false })).not.toThrow();
    expect(() => judgeFindings(quick, AGENT)).toThrow(/write-file-in-thread: not tried, listen: not tried/);
  });

  it.each(attempts.map(({ name }) => name))('refuses a box for %s alone, by name [FR2]', (name) => {
    for (const found of [DID, 'ECONNREFUSED', '']) {
      expect(() => judgeFindings({ ...refused, [name]: found }, AGENT)).toThrow(
        expect.objectContaining({
          code: 'sandbox_unavailable',
          message: `the box of the agent leaks: from inside it, ${name}: ${found}`,
          fix: expect.stringContaining('bulkhead doctor'),
        }),
      );
    }
    const { [name]: _, ...rest } = refused;
    expect(() => judgeFindings(rest, AGENT)).toThrow(`${name}: not tried`);
  });

  it('takes a missing file for a refusal only where a box has name spaces', () => {
    const missing = { ...refused, 'read-file': 'ENOENT' };
    expect(() => judgeFindings(missing, { ...AGENT, nameSpaces: true })).not.toThrow();
    expect(() => judgeFindings(missing, AGENT)).toThrow('read-file: ENOENT');
  });

  it('refuses findings that are none', () => {
    expect(() => judgeFindings({}, AGENT)).toThrow();
    expect(() => judgeControl({}, 'agent')).toThrow();
    expect(() => judgeControl(readControl('Segmentation fault'), 'agent')).toThrow();
  });
});
