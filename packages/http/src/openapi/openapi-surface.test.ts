import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openApiDocument } from './openapi-document.ts';

/*
 * Pins the HTTP address of each call, on which programs rely. `api/methods.txt` pins the methods of
 * the client service. `wire-breaking` pins requests and answers with the contract's own files.
 */
const METHODS = readFileSync(new URL('../../../../api/methods.txt', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split(' '))
  .filter(([, verb]) => verb !== undefined && verb !== 'local')
  .map(([name, verb, path]) => `${verb} ${path} ${name}`);
const OTHERS = [
  'GET /api/v1/stream stream',
  'GET /healthz healthz',
  'GET /metrics metrics',
  'GET /openapi.json openapi',
  'GET /v1/models listOpenAIModels',
  'POST /api/v1/login login',
  'POST /api/v1/logout logout',
  'POST /v1/chat/completions createChatCompletion',
  'POST /v1/responses createResponse',
];

it('has these calls, where they are, and no others [I4]', () => {
  const paths: Readonly<Record<string, Readonly<Record<string, object>>>> = JSON.parse(
    JSON.stringify(openApiDocument(7411).paths),
  );
  const now = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([verb, operation]) => `${verb.toUpperCase()} ${path} ${String(Reflect.get(operation, 'operationId'))}`,
    ),
  );
  expect(METHODS.length).toBeGreaterThan(60);
  expect(now.toSorted()).toEqual([...METHODS, ...OTHERS].toSorted());
});
