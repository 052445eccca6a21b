import { expect, it } from 'vitest';
import { platformProblem } from './platform.mjs';

it.each([
  ['linux', 'x64', '20.0.0', undefined],
  ['linux', 'arm64', '26.1.0', undefined],
  ['linux', 'x64', '18.20.0', /20 or newer.*18\.20\.0/],
  ['linux', 'riscv64', '22.0.0', /x64 and arm64 only/],
  ['linux', 'riscv64', '24.0.0', undefined],
  ['darwin', 'arm64', '24.0.0', undefined],
  ['darwin', 'arm64', '22.9.0', /24 or newer.*22\.9\.0/],
  ['win32', 'x64', '24.0.0', /WSL/],
])('on %s %s with Node.js %s', (platform, arch, nodeVersion, problem) => {
  const found = platformProblem({ platform, arch, nodeVersion });
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});
