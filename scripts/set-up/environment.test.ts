import { expect, it } from 'vitest';
import { withoutNpm } from './environment.mjs';

it('takes back what npm added, and nothing else', () => {
  const env = {
    npm_lifecycle_event: 'start',
    npm_config_cache: '/c',
    NPM_CONFIG_X: '1',
    INIT_CWD: '/w',
    NODE: '/n',
    HOME: '/h',
    LANG: 'C',
    PATH: '/w/node_modules/.bin:/node_modules/.bin:/npm/node-gyp-bin:/usr/bin:/bin',
  };
  expect(withoutNpm(env)).toEqual({ HOME: '/h', LANG: 'C', PATH: '/usr/bin:/bin' });
});

it('leaves an environment alone that npm did not make', () => {
  const env = { HOME: '/h', NODE: '/n', PATH: '/w/node_modules/.bin:/bin' };
  expect(withoutNpm(env)).toEqual(env);
});
