import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { systemClock, systemTimers } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuditLog, openAuditLog } from '../audit-log.ts';
import { parseCheckpoint } from '../checkpoint/checkpoint.ts';
import { proposed, rejection, temporaryFolder } from '../testing.ts';
import { verifyAuditLog } from '../verify/verify-audit-log.ts';
import { fileWitness } from './file-witness.ts';
import { httpWitness } from './http-witness.ts';
import type { Witness } from './witness.ts';

let place: ReturnType<typeof temporaryFolder>;
let folder: string;
let warnings: string[];
beforeEach(() => {
  place = temporaryFolder();
  folder = join(place.path, 'audit');
  warnings = [];
});
afterEach(() => place[Symbol.dispose]());

/** A witness in memory that can be made to fail; it stores what it receives. */
function memoryWitness() {
  const notes: string[] = [];
  const harm = { deliver: async () => {}, latest: (): string | undefined => notes.at(-1) };
  const witness: Witness = {
    name: 'memory',
    deliver: async (note) => {
      await harm.deliver();
      notes.push(note);
    },
    latest: async () => harm.latest(),
  };
  return { witness, notes, harm };
}

function open(witness: Witness, onProblem: 'halt' | 'warn', timeoutMs = 2_000): Promise<AuditLog> {
  const told = warnings;
  const warn = (message: string) => void told.push(message);
  const witnessing = { witnesses: [witness], onProblem, timeoutMs, warn };
  return openAuditLog(folder, { clock: systemClock, timers: systemTimers, witnessing });
}

/** 64 entries: enough to be signed immediately. */
const signOne = (log: AuditLog) => log.append(Array.from({ length: 64 }, (_, n) => proposed(`${n}`)));

function stepsOfWitness(): readonly { readonly step: string; readonly details: Record<string, unknown> }[] {
  return readFileSync(join(folder, 'audit-000001.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ step }) => step.startsWith('WITNESS'))
    .map(({ step, details }) => ({ step, details }));
}

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const unreachable = () => Promise.reject(new Error('the cable is cut'));
const never = () => new Promise<never>(() => {});

describe('a witness', () => {
  it('is given each checkpoint, the last one as the log closes [FR8]', async () => {
    const { witness, notes } = memoryWitness();
    const log = await open(witness, 'halt');
    await signOne(log);
    await until(() => notes.length > 0);
    await log.append([proposed('last')]);
    await log.close();
    expect(parseCheckpoint(notes.at(-1) ?? '')?.size).toBe(log.head.n);
    expect(stepsOfWitness()).toEqual([{ step: 'WITNESS_BEGUN', details: { witness: 'memory', from: 0 } }]);
    const again = await open(witness, 'halt');
    await again.close();
    expect(stepsOfWitness()).toHaveLength(1);
  });

  it.each([
    ['out of reach', 'unreachable', { deliver: unreachable }],
    ['too slow, whatever it makes of the signal', 'slow', { deliver: never }],
    ['answering with an old checkpoint', 'old', { latest: () => undefined }],
  ])(
    'that is %s is recorded once, and when it is back; work goes on if that is to warn [FT99]',
    async (_title, problem, harm) => {
      const { witness, harm: own } = memoryWitness();
      const healthy = { ...own };
      const log = await open(witness, 'warn', 100);
      await signOne(log);
      await until(() => log.head.n >= 65);
      Object.assign(own, harm);
      for (let n = 0; n < 3; n++) await signOne(log);
      await until(() => warnings.some((message) => message.includes(problem)));
      await signOne(log);
      Object.assign(own, healthy);
      await until(() => stepsOfWitness().at(-1)?.step === 'WITNESS_LOST');
      await signOne(log);
      await until(() => stepsOfWitness().at(-1)?.step === 'WITNESS_BACK');
      await log.close();
      const [begun, lost, back, ...more] = stepsOfWitness();
      expect(begun?.step).toBe('WITNESS_BEGUN');
      expect(lost).toMatchObject({ step: 'WITNESS_LOST', details: { witness: 'memory', problem } });
      expect(back).toMatchObject({ step: 'WITNESS_BACK', details: { from: lost?.details['from'] } });
      expect(Number(back?.details['to'])).toBeGreaterThan(Number(back?.details['from']));
      expect(more).toEqual([]);
      expect((await verifyAuditLog(folder)).ok).toBe(true);
    },
  );

  it.each([
    ['out of reach', { deliver: unreachable }],
    ['too slow', { deliver: never }],
    ['answering with an old checkpoint', { latest: () => undefined }],
  ])(
    'that is %s stops all work if that is to halt, and the record of why is the last one [FT99]',
    async (_title, harm) => {
      const { witness, harm: own } = memoryWitness();
      const log = await open(witness, 'halt', 100);
      Object.assign(own, harm);
      await signOne(log);
      await until(() => warnings.length > 1);
      const error = await rejection(log.append([proposed('more')]));
      expect(error).toMatchObject({
        code: 'audit_failed',
        message: expect.stringMatching(/does not keep up/),
      });
      await log.close();
      expect(stepsOfWitness().at(-1)?.step).toBe('WITNESS_LOST');
      expect(log.head.n).toBe((await verifyAuditLog(folder)).entries);
    },
  );

  it('that can not be asked at the start is recorded, or nothing starts [FT99]', async () => {
    const { witness, harm } = memoryWitness();
    harm.latest = () => {
      throw new Error('nobody there');
    };
    expect((await rejection(open(witness, 'halt'))).message).toMatch(/does not keep up: nobody there/);
    const log = await open(witness, 'warn');
    await log.close();
    expect(stepsOfWitness()).toEqual([
      {
        step: 'WITNESS_LOST',
        details: { witness: 'memory', problem: 'unreachable', reason: 'nobody there', from: 0 },
      },
    ]);
    expect(warnings).toEqual([expect.stringMatching(/WITNESS_LOST/)]);
  });

  it('that lost everything is recorded as begun anew [FT99]', async () => {
    const { witness, notes } = memoryWitness();
    await (await open(witness, 'halt')).close();
    notes.length = 0;
    await (await open(witness, 'halt')).close();
    expect(stepsOfWitness().map(({ step }) => step)).toEqual(['WITNESS_BEGUN', 'WITNESS_BEGUN']);
    expect(Number(stepsOfWitness()[1]?.details['from'])).toBeGreaterThan(0);
  });

  it('that is given checkpoints of another log by the same engine keeps it from starting [FT85]', async () => {
    const { witness } = memoryWitness();
    await (await open(witness, 'warn')).close();
    rmSync(folder, { recursive: true });
    expect((await rejection(open(witness, 'warn'))).message).toMatch(/saw another audit log than this one/);
    expect(() => readFileSync(join(folder, 'audit-000001.jsonl'))).toThrow(/ENOENT/);
  });
});

describe('a file as witness', () => {
  it('keeps each checkpoint on a line, and refuses to follow a link', async () => {
    const path = join(place.path, 'witness');
    await (await open(fileWitness(path), 'halt')).close();
    const log = await open(fileWitness(path), 'halt');
    await log.append([proposed('a')]);
    await log.close();
    const notes = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => String(JSON.parse(line)));
    expect(notes.length).toBeGreaterThan(1);
    expect((await verifyAuditLog(folder, { witnesses: [{ name: path, notes }] })).ok).toBe(true);
    writeFileSync(path, `${JSON.stringify(notes[0])}\n"changed"\n`);
    expect((await rejection(open(fileWitness(path), 'warn'))).message).toMatch(/not a checkpoint/);
  });
});

describe('a server as witness', () => {
  it('is sent checkpoints, and asked for the last one', async () => {
    const kept: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        if (request.method === 'POST') kept.push(body);
        response.statusCode = kept.length === 0 ? 404 : 200;
        response.end(kept.at(-1));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
    const witness = httpWitness(url, async ({ method, body }, signal) => {
      const response = await fetch(url, { method, signal, ...(body !== undefined && { body }) });
      return { status: response.status, body: await response.text() };
    });
    const log = await open(witness, 'halt');
    await log.close();
    await new Promise((resolve) => server.close(resolve));
    expect(parseCheckpoint(kept.at(-1) ?? '')?.size).toBe(log.head.n);
    expect((await rejection(open(witness, 'halt'))).message).toMatch(/does not keep up/);
  });
});
