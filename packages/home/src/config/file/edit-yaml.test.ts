import { expect, it } from 'vitest';
import { editYaml } from './edit-yaml.ts';

it('leaves a text byte for byte when there is nothing to take out', () => {
  const text = 'a:   1   # kept as it is\n\n\nb: { c:   2 }\n';
  expect(editYaml(text, [{ kind: 'unset', path: ['z'] }])).toBe(text);
  expect(editYaml(text, [{ kind: 'unset', path: ['a'] }])).not.toContain('a:');
});
