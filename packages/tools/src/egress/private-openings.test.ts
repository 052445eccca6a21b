import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, fetched } from '../testing/fetched.ts';
import { LittleInternet } from '../testing/little-internet.ts';

let internet: LittleInternet;
beforeEach(() => {
  internet = new LittleInternet();
});
afterEach(() => internet[Symbol.asyncDispose]());

describe('an opening of the own network', () => {
  it.each([
    ['nas.example:8080', '192.168.1.5', 'reached'],
    ['nas.example:8080', 'fd00::5', 'reached'],
    ['nas.example:8080', '127.0.0.1', 'blocked'],
    ['nas.example:8080', '169.254.169.254', 'blocked'],
    ['nas.example:8080', '0.0.0.0', 'blocked'],
    // A host on the internet gets the usual rules: no plain http.
    ['nas.example:8080', '93.184.216.34', 'blocked'],
    ['nas:8080', '192.168.1.5', 'reached'],
    ['localhost:8080', '127.0.0.1', 'reached'],
    ['localhost:8080', '192.168.1.5', 'blocked'],
  ])('%s for a name that leads to %s: %s [FT27] [FT28]', async (place, address, expected) => {
    await internet.serve(8080, (_, response) => response.end(), { tls: false });
    internet.names.set(place.split(':')[0] ?? '', [[address]]);
    expect(await codeOf(fetched(internet.broker({ allowPrivate: [place] }), `http://${place}/`))).toBe(
      expected,
    );
    expect(internet.dialled).toHaveLength(expected === 'reached' ? 1 : 0);
  });

  it('never opens link-local and the like, and takes nothing that is no host with a port', async () => {
    const broker = internet.broker({ allowPrivate: ['169.254.169.254:80', '[fe80::1]:80', '0.0.0.0:80'] });
    for (const text of ['http://169.254.169.254/', 'http://[fe80::1]/', 'http://0.0.0.0/']) {
      expect(await codeOf(fetched(broker, text))).toBe('blocked');
    }
    for (const entry of [
      '192.168.1.5',
      '192.168.1.0/24:80',
      '*:80',
      'nas:0',
      'nas:99999',
      'http://nas:80',
      '',
    ]) {
      expect(() => internet.broker({ allowPrivate: [entry] })).toThrow(/is no host with a port/);
    }
  });
});
