import { create, type DescMessage, fromJson, type JsonValue, toJson } from '@bufbuild/protobuf';
import { ClientService } from '@bulkhead/protocol/client';
import { ROUTES } from '@bulkhead/protocol/routes';
import { describe, expect, it } from 'vitest';
import { readChatRequest } from '../openai/read-chat-request.ts';
import { readResponsesRequest } from '../openai/read-responses-request.ts';
import { operationProblems, schemaProblems } from '../testing/openapi-rules.ts';
import { CALL_EXAMPLES, openApiDocument } from './openapi-document.ts';
import { OPENAI_EXAMPLES } from './other-paths.ts';

type Json = Readonly<Record<string, unknown>>;

const document = JSON.parse(JSON.stringify(openApiDocument(7411)));
const schemas: Readonly<Record<string, Json>> = document.components.schemas;
const operations: readonly { readonly path: string; readonly verb: string; readonly operation: Json }[] =
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ path, verb, operation: Object(operation) })),
  );

/** Each value below `value` that has a `$ref`. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(references)];
}

function resolve(reference: string): unknown {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((value, name) => Reflect.get(Object(value), name), document);
}

describe('the OpenAPI document', () => {
  it('names every call that HTTP reaches, where it is, once [I4]', () => {
    const calls = Object.entries(ROUTES).map(
      ([name, { verb, path }]) => `${name} ${verb.toLowerCase()} /api/v1${path}`,
    );
    const named = operations.map(
      ({ path, verb, operation }) => `${String(operation['operationId'])} ${verb} ${path}`,
    );
    expect(named).toEqual(expect.arrayContaining(calls));
    const ids = operations.map(({ operation }) => operation['operationId']);
    expect(new Set(ids).size).toBe(ids.length);
    for (const local of ['createLoginCode', 'readAccessToken']) expect(ids).not.toContain(local);
  });

  it('is well formed: versions, references that lead somewhere, parameters for each open part of a path [I4]', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    const all = references(document);
    expect(all.length).toBeGreaterThan(50);
    for (const reference of all)
      expect([reference, typeof resolve(reference)]).toEqual([reference, 'object']);
    for (const { path, operation } of operations) {
      const open = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters: readonly Json[] = Array.isArray(operation['parameters'])
        ? operation['parameters']
        : [];
      const inPath = parameters.filter((one) => one['in'] === 'path');
      expect([path, inPath.map(({ name }) => name).toSorted()]).toEqual([path, open.toSorted()]);
      for (const { required } of inPath) expect(required).toBe(true);
      expect(Object.keys(Object(operation['responses'])).length).toBeGreaterThan(0);
    }
  });

  it('keeps to the members and kinds of OpenAPI 3.1, everywhere [I4]', () => {
    expect(
      operations.flatMap(({ path, verb, operation }) => operationProblems(`${verb} ${path}`, operation)),
    ).toEqual([]);
    expect(Object.entries(schemas).flatMap(([name, schema]) => schemaProblems(name, schema))).toEqual([]);
    // The test can detect an error.
    expect(schemaProblems('x', { type: 'strnig' })).toHaveLength(1);
    expect(schemaProblems('x', { type: 'object', properties: {}, required: ['a'] })).toHaveLength(1);
    expect(operationProblems('x', { responses: { ok: {} }, sumary: '' })).not.toEqual([]);
  });

  it('says of each call what it does, and of members what the contract says of them [I4]', () => {
    // A call without a summary has no comment in its .proto file.
    expect(
      operations.filter(({ operation }) => typeof operation['summary'] !== 'string').map(({ path }) => path),
    ).toEqual([]);
    const decide = Object(schemas['DecideApprovalResponse']);
    expect(decide.properties.decision.description).toContain('What was decided');
    expect(Object(document.paths['/api/v1/context'].get.parameters[0]).name).toBe('sessionId');
    const properties = Object.values(schemas).flatMap((schema) =>
      Object.values<Json>(Object(schema['properties'])),
    );
    expect(properties.filter(({ description }) => typeof description === 'string').length).toBeGreaterThan(
      100,
    );
    const answers = Object(document.paths['/api/v1/approvals/{approvalId}'].post.requestBody).content;
    expect(answers['application/json'].schema.properties.answer.description).toContain(
      'APPROVAL_ANSWER_ALLOW_SESSION: The same again in this session, too.',
    );
  });

  it('has examples that can be sent, and that come [I4]', () => {
    for (const [name, { request, response }] of Object.entries(CALL_EXAMPLES)) {
      const method = ClientService.methods.find(({ localName }) => localName === name);
      if (method === undefined) throw new Error(`there is no call ${name}`);
      // Both refuse unknown members.
      if (request !== undefined) fromJson<DescMessage>(method.input, request);
      if (response === undefined) continue;
      const whole = toJson(method.output, fromJson<DescMessage>(method.output, response), {
        alwaysEmitImplicit: true,
      });
      expect([name, whole]).toEqual([name, response]);
    }
    readChatRequest(OPENAI_EXAMPLES.chat);
    readResponsesRequest(OPENAI_EXAMPLES.response);
  });

  it('has a type for each property, and no schema that nothing leads to', () => {
    const used = new Set(references(document).map((reference) => reference.split('/').at(-1)));
    expect(Object.keys(schemas).filter((name) => !used.has(name))).toEqual([]);
    for (const [name, schema] of Object.entries(schemas)) {
      for (const property of Object.values<Json>(Object(schema['properties']))) {
        expect([name, 'type' in property || '$ref' in property]).toEqual([name, true]);
      }
    }
  });

  it('describes answers as they come: an empty one has just what it requires', () => {
    const answered = ClientService.methods.filter(({ methodKind }) => methodKind === 'unary');
    for (const { output } of answered.filter((method) => isReached(method.localName))) {
      const json = toJson(output, create<DescMessage>(output), { alwaysEmitImplicit: true });
      const schema = schemas[output.name];
      expect([output.name, keysOf(json)]).toEqual([
        output.name,
        [schema?.['required'] ?? []].flat().toSorted(),
      ]);
    }
  });
});

function isReached(name: string): boolean {
  return ROUTES[name] !== undefined;
}

function keysOf(json: JsonValue): string[] {
  return Object.keys(Object(json)).toSorted();
}
