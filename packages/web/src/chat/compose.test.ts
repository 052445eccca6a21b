import { describe, expect, it } from 'vitest';
import { commandProblem } from './compose.ts';

describe('a message that begins with a slash [I3]', () => {
  it.each(['/undo', '/undo now', '/dry-run\nplease'])('is not sent to the model as %j', (text) => {
    expect(commandProblem(text, ['review'])).toContain('There is no template');
  });

  it.each(['/review src', '/usr/bin is full', ' /undo', '/', '/ is the root', 'see /undo'])(
    'may be %j',
    (text) => {
      expect(commandProblem(text, ['review'])).toBeUndefined();
    },
  );
});
