import { buildCheck } from './build.ts';
import type { Check } from './check.ts';
import { dependencies } from './dependencies.ts';
import { fileCalls } from './file-calls.ts';
import { fileSize } from './file-size.ts';
import { folderCycles } from './folder-cycles.ts';
import { generated } from './generated.ts';
import { lint } from './lint.ts';
import { lockFile } from './lock-file.ts';
import { native } from './native.ts';
import { recordBodies } from './record-bodies.ts';
import { requirements } from './requirements.ts';
import { suppressions } from './suppressions.ts';
import { surface } from './surface.ts';
import { testProject } from './test-project.ts';
import { time } from './time.ts';
import { types } from './types.ts';
import { unused } from './unused.ts';
import { walls } from './walls.ts';
import { webSize } from './web-size.ts';
import { webTestTypes } from './web-test-types.ts';
import { webTypes } from './web-types.ts';
import { wireBreaking, wireLint } from './wire.ts';
import { words } from './words.ts';

/** Beside the unit tests, one after the other; checks that need the build come after it. */
export const staticChecks: readonly Check[] = [
  buildCheck,
  webSize,
  lint,
  types,
  webTypes,
  webTestTypes,
  walls,
  folderCycles,
  dependencies,
  unused,
  surface,
  generated,
  wireLint,
  wireBreaking,
  fileSize,
  fileCalls,
  recordBodies,
  suppressions,
  words,
  lockFile,
  native,
];

/** Need no build. */
export const unitTests: Check = testProject(
  'unit',
  ['unit'],
  'Mend the case that is named; `npx vitest run FILE` runs one file, `-t TITLE` one case.',
  1_500_000,
);

/** After all others: these need the processors, and the results of earlier checks. */
export const lastChecks: readonly Check[] = [
  testProject(
    'e2e',
    ['e2e', 'e2e-alone'],
    "Mend the case that is named; `npx vitest run --project 'e2e*' FILE` runs one file.",
    3_900_000,
  ),
  requirements,
  time,
];
