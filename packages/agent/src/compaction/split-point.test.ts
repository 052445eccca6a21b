import { create } from '@bufbuild/protobuf';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answer, type ScriptPart, userMessage } from '../testing/messages.ts';
import { splitPoint } from './plan-compaction.ts';

const said = (...parts: readonly ScriptPart[]): Message =>
  create(MessageSchema, { role: { case: 'assistant', value: answer(...parts) } });
const result = (callId: string): Message =>
  create(MessageSchema, { role: { case: 'tool', value: { callId, name: 'read', text: 'r' } } });

/** Number of calls in each round of a turn. */
const turns = fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 6 }), {
  minLength: 1,
  maxLength: 5,
});

function conversation(rounds: readonly (readonly number[])[]): Message[] {
  return rounds.flatMap((turn) => [
    userMessage('go on'),
    ...turn.flatMap((calls) => {
      const ids = Array.from({ length: calls }, (_, at) => `c${at}`);
      return [said(...ids.map((id) => ({ id, name: 'read' }))), ...ids.map(result)];
    }),
    said('half an answer'),
    said('and its end'),
  ]);
}

it('never parts a call from its results, nor an answer from its second half, wherever the room ends [K2]', () => {
  fc.assert(
    fc.property(turns, fc.integer({ min: 0, max: 60 }), (rounds, keep) => {
      const messages = conversation(rounds);
      const cut = splitPoint(
        messages,
        messages.map(() => 1),
        keep,
      );
      if (cut === undefined) return;
      expect(cut).toBeGreaterThan(0);
      expect(messages[cut]?.role.case).not.toBe('tool');
      expect(messages[cut]).not.toEqual(said('and its end'));
    }),
  );
});
