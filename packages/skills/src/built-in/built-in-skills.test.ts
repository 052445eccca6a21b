import { describe, expect, it } from 'vitest';
import { builtInSkills } from './built-in-skills.ts';

describe('builtInSkills', () => {
  it('are valid, short, and say when they are for [SK1]', () => {
    const skills = builtInSkills();
    expect(skills.map(({ manifest }) => manifest.name)).toEqual([
      'review-changes',
      'tidy-notes',
      'write-skill',
    ]);
    for (const { manifest } of skills) {
      expect(manifest).toMatchObject({ hidden: 0, wishes: [], license: 'Apache-2.0' });
      expect(manifest.description).toMatch(/^To /);
      expect(manifest.description.length).toBeLessThan(120);
      expect(manifest.body.length).toBeLessThan(2_500);
    }
  });
});
