import { type EngineLink, inheritedEvents } from '@bulkhead/client';
import { parseEvent } from '@bulkhead/protocol/transcript';
import { type ApprovalQuestion, OpenQuestions } from '../conversation/open-questions.ts';
import { Transcript } from '../conversation/transcript.ts';
import type { Output } from '../output/output.ts';
import type { ChatPlace } from './chat-place.ts';
import { SessionActivity } from './session-activity.ts';

/** How far a session has come. */
export interface Replayed {
  /** The place to go on watching from. */
  readonly seq: number;
  /** What the session is doing. */
  readonly activity: SessionActivity;
  /** What still waits for a person's answer. */
  readonly questions: readonly ApprovalQuestion[];
}

/** Shows what a session holds so far, a fork's shared part or what was imported first. */
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
