import { expect, it } from 'vitest';
import { requestParts } from './api.ts';

it('puts members into path, query or body, and encodes them', () => {
  expect(requestParts({ verb: 'GET', path: '/a/{id}' }, { id: 'x/y', limit: 3, all: true })).toEqual({
    verb: 'GET',
    path: '/a/x%2Fy?limit=3&all=true',
  });
  expect(requestParts({ verb: 'POST', path: '/a/{id}' }, { id: '1', text: '&' })).toEqual({
    verb: 'POST',
    path: '/a/1',
    body: { text: '&' },
  });
  expect(requestParts({ verb: 'DELETE', path: '/a' }, {})).toEqual({ verb: 'DELETE', path: '/a' });
});
