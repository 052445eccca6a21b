import { type EngineLink, inheritedEvents } from '@bulkhead/client';
import { parseEvent } from '@bulkhead/protocol/transcript';
import { type ApprovalQuestion, OpenQuestions } from '../conversation/open-questions.ts';
import { Transcript } from '../conversation/transcript.ts';
import type { Output } from '../output/output.ts';
import type { ChatPlace } from './chat-place.ts';
import { SessionActivity } from './session-activity.ts';

/** The progress of a session. */
export interface Replayed {
  /** The event from which to continue watching. */
  readonly seq: number;
  /** The current activity of the session. */
  readonly activity: SessionActivity;
  /** The pending approvals. */
  readonly questions: readonly ApprovalQuestion[];
}

/** Shows a session so far, beginning with a fork's shared part or the imported part. */
export async function replay(
  link: EngineLink,
  { sessionId, known }: ChatPlace,
  output: Output,
): Promise<Replayed> {
  const transcript = new Transcript(output);
  const activity = new SessionActivity();
  const questions = new OpenQuestions();
  let seq = 0;
  await link.once(async (client) => {
    if (known !== undefined) {
      for await (const event of inheritedEvents(client, known)) transcript.show(event);
    }
    for await (const line of client.stream('watch', { sessionId })) {
      const event = parseEvent(line.json);
      if (event !== undefined) {
        transcript.show(event);
        activity.take(event);
        questions.take(event);
      }
      if (!line.ephemeral) seq = line.seq;
    }
  });
  return { seq, activity, questions: questions.all };
}
