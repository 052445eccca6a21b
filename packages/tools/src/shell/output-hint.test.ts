import { describe, expect, it } from 'vitest';
import { outputHint } from './shell-result.ts';

describe('a hint on what a box does not have', () => {
  it.each([
    'curl: (6) Could not resolve host: registry.example',
    'npm error code EAI_AGAIN',
    'Error: getaddrinfo ENOTFOUND registry.example',
    'Temporary failure in name resolution',
    'connect: Network is unreachable',
  ])('tells how a command gets hosts: %s', (said) => {
    expect(outputHint(`working\n${said}\n`)).toContain('`hosts`');
  });

  it('tells what an overlay can’t do, and nothing of other failures', () => {
    expect(outputHint('mv: Invalid cross-device link')).toContain('use `mv`');
    expect(outputHint('bash: ../x: Read-only file system')).toContain('writes only the working folder');
    expect(outputHint('make: *** No rule to make target')).toBeUndefined();
  });
});
