import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Check } from './check.ts';
import { proofProblems } from './proof-rule.ts';
import { type RequirementManifest, requirementProblems, taggedIds } from './requirements-rule.ts';
import { resultOf } from './result.ts';
import { readTestRun } from './test-results.ts';

const MANIFEST = 'requirements.yaml';

/** Every requirement is proven by the test that the manifest points to, or is a known gap. */
export const requirements: Check = {
  name: 'requirements',
  mend: `Name the requirement in the title of the test that proves it, as in "keeps order [L4]", and point to it in ${MANIFEST}.`,
  async run({ root, results }) {
    const runs = await Promise.all([readTestRun(root, results, 'unit'), readTestRun(root, results, 'e2e')]);
    if (runs.some((run) => run === undefined)) {
      return resultOf(['There is no report of the tests; run `npm test` without --only first.']);
    }
    const cases = runs.flatMap((run) => run?.cases ?? []);
    const manifest = parseManifest(parse(await readFile(join(root, MANIFEST), 'utf8')));
    const proven = taggedIds(cases.filter((one) => one.status === 'passed').map((one) => one.title));
    const mentioned = taggedIds(cases.map((one) => one.title));
    const { missing, partial } = manifest.gapBudget;
    const total = Object.keys(manifest.requirements).length;
    return resultOf(
      [...requirementProblems(manifest, proven, mentioned), ...proofProblems(manifest, cases)],
      `${total - missing - partial} of ${total} whole, ${partial} in part`,
    );
  },
};

const budget = z.int().nonnegative();

const manifest = z.strictObject({
  gapBudget: z.strictObject({ missing: budget, partial: budget, faults: budget, faultsPartial: budget }),
  requirements: z.record(
    z.string().regex(/^[A-Z]{1,2}\d+$/),
    z
      .strictObject({ is: z.string().min(8), gap: z.string().optional() })
      .transform(({ is, gap }) => (gap === undefined ? { is } : { is, gap })),
  ),
  proof: z.record(z.string(), z.union([z.string().transform((one) => [one]), z.array(z.string()).min(1)])),
  faults: z.strictObject({ count: budget, gaps: z.array(z.string()), partial: z.array(z.string()) }),
});

/**
 * @param value Result of the YAML parser.
 * @throws z.ZodError Names each unknown or invalid key.
 */
export function parseManifest(value: unknown): RequirementManifest {
  return manifest.parse(value);
}
