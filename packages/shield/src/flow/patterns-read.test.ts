import { describe, expect, it } from 'vitest';
import { newLabels, openTestSession } from './testing/test-session.ts';

const FOREIGN = { secrecy: 'internal', trust: 'external' } as const;

/** The label of a session after a command has read these paths. */
function afterReading(paths: readonly string[], labelled: readonly string[]) {
  const labels = newLabels();
  for (const path of labelled) labels.files.set(path, FOREIGN);
  const { session } = openTestSession({ request: 'Look.', labels });
  const metadata = {
    workingFolder: '/w',
    paths: paths.map((path) => ({ path, access: 'read' as const })),
    hosts: [],
  };
  session.observeResult({ tool: 'bash', arguments: { command: 'x' }, metadata }, 'text');
  return session.label;
}

describe('a pattern in a command', () => {
  it.each([
    [['/other/*.md'], ['/other/a.md']],
    [['/other/no*'], ['/other/notes/deep/a.md']],
    [['/other/*/a.md'], ['/other/x/a.md']],
    [['/other/…'], ['/other/a.md']],
    [['/other/x/*'], ['/other']],
  ])('%j reads what %j is labelled with [F2]', (paths, labelled) => {
    expect(afterReading(paths, labelled).trust).toBe('external');
  });

  it.each([
    [['/other/*.md'], ['/another/a.md']],
    [['/other/no*'], ['/other/index.md']],
    [['…/…'], ['/other/a.md']],
  ])('%j reads nothing of %j', (paths, labelled) => {
    expect(afterReading(paths, labelled).trust).toBe('workspace');
  });

  it.each(['/home/ada/.env*', '/other/*/.netrc*', '/x/*.pem'])(
    '%s reads a secret by its name [F1]',
    (path) => {
      expect(['restricted', 'critical']).toContain(afterReading([path], []).secrecy);
    },
  );
});
