import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, request } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientDoors, clientDoors } from '../testing/client-doors.ts';

const TIMEOUT_MS = 360_000;

let folder: string;
let ended: DisposableStack;
let service: ClientDoors;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-limits-'));
  ended = new DisposableStack();
  service = await clientDoors(folder, ended);
}, TIMEOUT_MS);
afterEach(() => {
  ended.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const headers = () => ({ authorization: `Bearer ${service.token}`, 'content-type': 'application/json' });
const at = (path: string) => ({
  host: service.address.hostname,
  port: service.address.port,
  path: `/api/v1${path}`,
  headers: headers(),
  agent: false as const,
});

async function statusOver(way: 'HTTP' | 'gRPC'): Promise<string> {
  if (way === 'gRPC') return (await service.connect().unary(ClientService.method.status, {})).model;
  const [response] = await once(get(at('/status')), 'response');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return JSON.parse(text).model;
}

describe('limits of one client', () => {
  it(
    'over gRPC bound the watches; the refusal says when to try again, and others are served [FG10]',
    async () => {
      const connection = service.connect();
      const refused: BulkheadError[] = [];
      const opened: number[] = [];
      const watches = Array.from({ length: 400 }, async () => {
        const events = connection.stream(ClientService.method.watch, { sessionId: 's', follow: true });
        try {
          await events.next();
          opened.push(1);
        } catch (error) {
          refused.push(BulkheadError.from(error));
        }
      });
      await Promise.allSettled(watches);
      expect(opened).toHaveLength(256);
      expect(refused).toHaveLength(144);
      for (const error of refused) expect(error).toMatchObject({ code: 'rate_limit', retryable: true });
      expect(refused[0]?.fix).toMatch(/Wait/);
      await expect(statusOver('gRPC')).resolves.toBe('p/m');
      await expect(statusOver('HTTP')).resolves.toBe('p/m');
    },
    TIMEOUT_MS,
  );

  it(
    'over HTTP is so many watches: then 429 with Retry-After, and others are served [FG10]',
    async () => {
      const statuses: string[] = [];
      // One after the other: unauthenticated sockets have their own limit.
      for (let count = 0; count < 230; count += 1) {
        const sent = get(at('/sessions/s/events?follow=true')).on('error', () => {});
        ended.defer(() => sent.destroy());
        const [response] = await once(sent, 'response');
        response.on('error', () => {});
        statuses.push(`${response.statusCode} ${response.headers['retry-after'] ?? ''}`);
      }
      expect(statuses.filter((status) => status === '200 ')).toHaveLength(192);
      expect(statuses.filter((status) => status === '429 1')).toHaveLength(38);
      await expect(statusOver('HTTP')).resolves.toBe('p/m');
      await expect(statusOver('gRPC')).resolves.toBe('p/m');
    },
    TIMEOUT_MS,
  );

  it(
    'on one HTTP socket is one request: of a thousand sent at once the second is refused [FG10]',
    async () => {
      const socket = createConnection(Number(service.address.port), service.address.hostname);
      ended.defer(() => socket.destroy());
      const head = `Host: ${service.address.host}\r\nAuthorization: Bearer ${service.token}\r\n\r\n`;
      const { open } = await service.make(0);
      socket.write(`GET /api/v1/status HTTP/1.1\r\n${head}`.repeat(1_000));
      await expect(statusOver('HTTP')).resolves.toBe('p/m');
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      expect(statuses).toEqual(['200', '429']);
      expect(text).toMatch(/retry-after: 1/i);
      // A watch whose answer could not begin also ends with its socket.
      const other = createConnection(Number(service.address.port), service.address.hostname);
      other.write(
        `GET /api/v1/status HTTP/1.1\r\n${head}GET /api/v1/sessions/s/events?follow=true HTTP/1.1\r\n${head}`,
      );
      await once(other, 'data');
      other.destroy();
      for (let tries = 0; tries < 100 && (await service.make(0)).open > open; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await service.make(0)).open).toBeLessThanOrEqual(open);
    },
    TIMEOUT_MS,
  );

  it(
    'is 64 MiB of requests, however slowly they come, and no more than a call may say [FG10]',
    async () => {
      // Within the limits of each call; together more than one client may send at the same time.
      const body = Buffer.alloc(7 * 1024 * 1024, ' ');
      const slow = Array.from({ length: 9 }, () => {
        const sent = request({
          ...at('/sessions'),
          method: 'POST',
          headers: { ...headers(), 'content-length': 8_000_000 },
        });
        sent.on('error', () => {});
        ended.defer(() => sent.destroy());
        return { sent, answer: once(sent, 'response') };
      });
      for (const { sent } of slow) await new Promise((resolve) => sent.write(body, resolve));
      const last = request({
        ...at('/sessions'),
        method: 'POST',
        headers: { ...headers(), 'content-length': 8_000_000 },
      });
      last.on('error', () => {});
      const answers = Promise.any([...slow.map(({ answer }) => answer), once(last, 'response')]);
      last.write(body);
      const [response] = await answers;
      expect(response.statusCode).toBe(429);
      expect(response.headers['retry-after']).toBe('1');
      await expect(statusOver('gRPC')).resolves.toBe('p/m');
      for (const { sent } of slow) sent.destroy();
      last.destroy();
      const large = request({
        ...at('/sessions'),
        method: 'POST',
        headers: { ...headers(), 'content-length': 100_000_000 },
      });
      large.on('error', () => {});
      ended.defer(() => large.destroy());
      large.write('{');
      const [refused] = await once(large, 'response');
      expect(refused.statusCode).toBe(413);
    },
    TIMEOUT_MS,
  );
});
