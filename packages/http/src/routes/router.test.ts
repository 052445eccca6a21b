import { ClientService } from '@bulkhead/protocol/client';
import { LOCAL_METHODS, ROUTES } from '@bulkhead/protocol/routes';
import { describe, expect, it } from 'vitest';
import { Router, routeRows } from './router.ts';

const rows = routeRows();

describe('the routes of the contract', () => {
  it('lead each call that has one to a place of its own [I4]', () => {
    expect(rows.map(({ method }) => method.localName)).toEqual(Object.keys(ROUTES));
    const places = rows.map(({ route }) => `${route.verb} ${route.path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it('keep calls that answer with a secret to the local socket [I5]', () => {
    const secrets = ClientService.methods.filter(({ output }) =>
      output.fields.some(({ name }) => name === 'token' || name === 'code'),
    );
    expect(secrets.map(({ localName }) => localName)).toEqual([
      'readAccessToken',
      'rotateAccessToken',
      'createLoginCode',
      'createProgramToken',
    ]);
    const local = [...secrets.map(({ localName }) => localName), 'handOverKeys'];
    expect(LOCAL_METHODS).toEqual(expect.arrayContaining(local));
    for (const name of local) expect(ROUTES[name]).toBeUndefined();
  });

  it('name in their paths only members of the message, which are no lists', () => {
    for (const { method, parts } of rows) {
      for (const part of parts.filter((one) => one.startsWith('{'))) {
        const field = method.input.fields.find(({ jsonName }) => `{${jsonName}}` === part);
        expect([method.name, part, field?.fieldKind]).toEqual([method.name, part, 'scalar']);
      }
    }
  });

  it('ask with GET and DELETE for nothing that a query can not say', () => {
    for (const { route, method } of rows.filter(
      ({ route: { verb } }) => verb === 'GET' || verb === 'DELETE',
    )) {
      const kinds = method.input.fields.map(({ fieldKind }) => fieldKind);
      expect([route.path, kinds.filter((kind) => kind === 'message' || kind === 'map')]).toEqual([
        route.path,
        [],
      ]);
    }
  });
});

describe('Router', () => {
  const router = new Router();

  it('finds every row by a path of it, and what the path names', () => {
    for (const { route, method, parts } of rows) {
      const path = parts.map((part) => (part.startsWith('{') ? 'a%20b%2F' : part)).join('/');
      const found = router.find(route.verb, `/${path}`);
      expect(found.method.name).toBe(method.name);
      expect(new Set(Object.values(found.named))).toEqual(new Set(path.includes('%') ? ['a b/'] : []));
    }
  });

  it.each([
    ['/', 404],
    ['', 404],
    ['/sessions/', 404],
    ['/sessions//messages', 404],
    ['/sessions/%zz/messages', 404],
    ['/sessions/x/messages/', 404],
    ['/sessions/x/messages', 405],
    ['/constructor', 404],
  ])('refuses GET %j with %d', (path, status) => {
    expect(() => router.find('GET', path)).toThrow(expect.objectContaining({ details: { status } }));
  });
});
