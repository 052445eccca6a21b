import { z } from 'zod';
import type { RequirementManifest } from './requirements-rule.ts';

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
