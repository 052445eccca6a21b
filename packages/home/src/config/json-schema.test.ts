import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listConfigKeys } from './config-keys.ts';
import { configJsonSchemaText } from './json-schema.ts';

const docs = new URL('../../../../docs/', import.meta.url);

describe('the JSON Schema of config.yaml', () => {
  it('is published as it is: `./bulkhead config schema > docs/config.schema.json` [D3]', () => {
    expect(readFileSync(new URL('config.schema.json', docs), 'utf8')).toBe(configJsonSchemaText());
  });

  it('describes every key', () => {
    const silent = listConfigKeys().filter(
      ({ key, description }) => description === '' && !key.endsWith('*'),
    );
    expect(silent).toEqual([]);
  });

  it('knows no key beside those it lists', () => {
    expect(configJsonSchemaText().match(/"additionalProperties": false/g)?.length).toBe(
      configJsonSchemaText().match(/"type": "object"/g)?.length,
    );
  });

  it('leaves no key out of docs/configuration.md', () => {
    const text = readFileSync(new URL('configuration.md', docs), 'utf8');
    const leaves = listConfigKeys().filter(({ key, type }) => type !== 'object' && !key.endsWith('*'));
    const names = leaves.map(({ key }) => key.replace(/^models\.(?!fallback$)(fallback\.\*|\w+)\./, ''));
    expect([...new Set(names)].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
