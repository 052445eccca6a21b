import type { SessionSummary } from '@bulkhead/protocol/client';
import { inheritedEvents } from '../conversation/branch-events.ts';
import { parseEvent } from '../conversation/parse-event.ts';
import { Transcript } from '../conversation/transcript.ts';
import type { EngineLink } from '../engine-link.ts';
import type { Output } from '../output/output.ts';
import { SessionActivity } from './session-activity.ts';

/**
 * Shows what a session holds so far, a fork's shared part first.
 *
 * @param known undefined for a session that was just made
 * @returns the place to go on watching from, and what the session is doing
 */
export async function replay(
  link: EngineLink,
  sessionId: string,
  known: SessionSummary | undefined,
  output: Output,
): Promise<{ readonly seq: number; readonly activity: SessionActivity }> {
  const transcript = new Transcript(output);
  const activity = new SessionActivity();
  let seq = 0;
  await link.once(async (client) => {
    if (known !== undefined) {
      for await (const event of inheritedEvents(client, known)) transcript.show(event);
    }
    for await (const line of client.watch({ sessionId })) {
      const event = parseEvent(line.json);
      if (event !== undefined) {
        transcript.show(event);
        activity.take(event);
      }
      if (!line.ephemeral) seq = line.seq;
    }
  });
  return { seq, activity };
}
