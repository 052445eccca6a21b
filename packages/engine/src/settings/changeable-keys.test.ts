import { listConfigKeys } from '@bulkhead/home/config/config-keys';
import { describe, expect, it } from 'vitest';
import { changeableKeys, isChangeable } from './changeable-keys.ts';

/** Keys that protect the user, or direct data. */
const PROTECTION =
  /^(policy|box|profile|secrets|shield|audit|server|spend|chronicle|tools\.(web|memoryMiB)|agents\.memoryMiB|memory\.review|timeouts\.(approval|evaluation)Seconds|models\.(shield|embedding|subagent|title|compaction|fallback)|models\.\w+\.(provider|model|baseUrl|apiKeyEnv|price))(\.|$)/;

describe('keys that clients may change', () => {
  const known = listConfigKeys().filter(({ type }) => type !== 'object');

  it('are keys there are, and each key is either changed by clients or named as protection', () => {
    const names = known.map(({ key }) => key);
    expect(changeableKeys().filter((key) => !names.includes(key))).toEqual([]);
    const undecided = names.filter(
      (key) => !isChangeable(key) && !PROTECTION.test(key) && !key.includes('*'),
    );
    expect(undecided).toEqual(['compaction.models']);
  });

  it('is nothing that protects', () => {
    expect(changeableKeys().filter((key) => PROTECTION.test(key))).toEqual([]);
    for (const { key } of listConfigKeys().filter(({ type }) => type === 'object' || type === 'array'))
      expect([key, isChangeable(key)]).toEqual([key, false]);
    for (const key of ['', '__proto__', 'models.chat', 'models.fallback.0.model', 'policy '])
      expect([key, isChangeable(key)]).toEqual([key, false]);
  });
});
