import { buildCheck } from './build.ts';
import type { Check } from './check.ts';
import { fileCalls } from './file-calls.ts';
import { fileSize } from './file-size.ts';
import { generated } from './generated.ts';
import { lint } from './lint.ts';
import { lockFile } from './lock-file.ts';
import { native } from './native.ts';
import { requirements } from './requirements.ts';
import { suppressions } from './suppressions.ts';
import { surface } from './surface.ts';
import { testProject } from './test-project.ts';
import { types } from './types.ts';
import { unused } from './unused.ts';
import { walls } from './walls.ts';
import { webSize } from './web-size.ts';
import { webTestTypes } from './web-test-types.ts';
import { webTypes } from './web-types.ts';
import { wireBreaking, wireLint } from './wire.ts';

/** Checks that only read: they may run beside one another. */
export const readingChecks: readonly Check[] = [
  lint,
  types,
  webTypes,
  webTestTypes,
  walls,
  unused,
  surface,
  generated,
  wireLint,
  wireBreaking,
  fileSize,
  fileCalls,
  suppressions,
  lockFile,
  native,
];

/** Checks that measure time, or need what the one before has made: one after the other. */
export const orderedChecks: readonly Check[] = [
  buildCheck,
  webSize,
  testProject(
    'unit',
    'Mend the case that is named; `npx vitest run FILE` runs one file, `-t TITLE` one case.',
    1_200_000,
  ),
  testProject(
    'e2e',
    'Mend the case that is named; `npm run build && npx vitest run --project e2e FILE` runs one file.',
    2_700_000,
  ),
  requirements,
];
