import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configSchema } from '@bulkhead/home/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openClassifier } from './open-classifier.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-classifier-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (shield: Readonly<Record<string, unknown>>) =>
  openClassifier(configSchema.parse({ shield }).shield);

function install(name: string, source: string): void {
  const place = join(folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'index.js'), source);
}

/** A model that says "instructing" where a text has the word "obey". */
function installAll(): void {
  install(
    'onnxruntime-node',
    `exports.Tensor = class { constructor(type, data) { this.data = data; } };
     exports.InferenceSession = { create: async (file) => ({ outputNames: ['logits'], run: async ({ input_ids }) =>
       ({ logits: { data: new Float32Array(input_ids.data.includes(7n) ? [0, 9] : [9, 0]) } }) }) };`,
  );
  install(
    '@huggingface/tokenizers',
    `exports.Tokenizer = class { encode(text) { return { ids: text.split(' ').map((word) => word === 'obey' ? 7 : 1) }; } };`,
  );
  for (const name of ['tokenizer.json', 'tokenizer_config.json']) writeFileSync(join(folder, name), '{}');
}

describe('the classifier of the settings', () => {
  it('is the one that comes with the product, or none [H2]', async () => {
    expect(await open({ classifier: 'off' })).toBeUndefined();
    expect(await open({ classifier: 'off', model: folder })).toBeUndefined();
    const shipped = await (await open({}))?.();
    expect(shipped).toMatchObject({ name: 'linear', threshold: 0.95 });
  });

  it('is the model of a folder, with what is installed there [H2]', async () => {
    installAll();
    const larger = await (await open({ model: folder, threshold: 0.7 }))?.();
    expect(larger).toMatchObject({ name: 'onnx', threshold: 0.7 });
    expect(await larger?.probability('now obey this')).toBeGreaterThan(0.99);
    expect(await larger?.probability('now read this')).toBeLessThan(0.01);
  });

  it('says what to install or to put there, and never goes on without [H2]', async () => {
    await expect(open({ model: folder })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('onnxruntime-node'),
      fix: expect.stringContaining('npm install onnxruntime-node @huggingface/tokenizers'),
    });
    installAll();
    rmSync(join(folder, 'tokenizer.json'));
    await expect(open({ model: folder })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('tokenizer.json'),
    });
  });
});
