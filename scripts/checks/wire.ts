import type { Check } from './check.ts';
import { programCheck } from './program-check.ts';

/** The `.proto` files follow buf's rules. */
export const wireLint: Check = programCheck(
  'wire-lint',
  'Mend the .proto file that is named; the rules are those of buf STANDARD.',
  'buf',
  ['lint'],
  'packages/protocol',
);

/** All data ever written or sent stays readable. */
export const wireBreaking: Check = programCheck(
  'wire-breaking',
  'Add fields instead of changing them. A real break needs a new PROTOCOL_VERSION and a new proto/baseline.binpb (buf build -o).',
  'buf',
  ['breaking', '--against', 'proto/baseline.binpb'],
  'packages/protocol',
);
