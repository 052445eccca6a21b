import type { RecordedRequest, ScriptedReply } from '@bulkhead/testkit';
import type { Stage } from '../../support/stage.ts';

const NOTES = '# Release notes\n\n- faster start\n- fewer prompts\n- two fixes\n';

const REPORT = `The notes are tidied. What changed:

| Part | Before | Now |
| --- | --- | --- |
| Start | 420 ms | **180 ms** |
| Prompts | 14 | 6 |

1. \`notes.md\` says how much faster the start is.
2. Nothing else was touched.

\`\`\`ts
// measured with the engine warm
const start = await measure('first paint');
console.log(\`\${start} ms\`);
\`\`\`

More is in [the guide](https://docs.example.org/guide).`;

/** Replies of a sample's model to a person's words, round by round. */
const TALKS: Readonly<Record<string, readonly ScriptedReply[]>> = {
  'Tidy the release notes': [
    {
      thinking: 'The notes are short. I read them first, then put the figures in.',
      text: 'I will look at the notes first.',
      toolCalls: [{ name: 'read', args: { path: 'notes.md' } }],
    },
    {
      toolCalls: [
        {
          name: 'edit',
          args: {
            path: 'notes.md',
            old_text: '- faster start',
            new_text: '- starts in 180 ms instead of 420',
          },
        },
      ],
    },
    { text: REPORT },
  ],
  'Set up the editor': [
    {
      text: 'The editor needs a settings file.',
      toolCalls: [
        {
          name: 'write',
          args: { path: '.vscode/settings.json', content: '{\n  "editor.formatOnSave": true\n}\n' },
        },
      ],
    },
    { text: 'It is set up.' },
  ],
  'Clean the whole disk': [
    { toolCalls: [{ name: 'bash', args: { command: 'rm -rf /' } }] },
    { text: 'I was not allowed to do that, and I agree.' },
  ],
};

/** Starts the model that the samples talk to, and writes the files they are about. */
export async function sampleWorld(stage: Stage): Promise<void> {
  stage.write('notes.md', NOTES);
  await stage.model(reply, { models: 'title: { provider: offline, model: rules },' });
}

function reply({ bodyText }: RecordedRequest): ScriptedReply {
  const talk = Object.entries(TALKS).find(([said]) => bodyText.includes(said))?.[1] ?? [];
  const round = bodyText.split('"role":"assistant"').length - 1;
  const usage = { input: 4_200 + 350 * round, output: 180 + 40 * round, cached: 3_100 };
  return { text: 'All right.', ...talk[round], usage };
}
