import { describe, expect, it } from 'vitest';
import { parseEvent, parseEventHeader } from './parse-event.ts';

const line = (fields: Record<string, unknown>) =>
  JSON.stringify({ seq: 1, time: 't', session: 's', turn: 'r', ...fields });

describe('parseEvent', () => {
  it('reads an event, whatever else it carries', () => {
    const event = parseEvent(line({ type: 'text_delta', text: 'hi', later: { any: 1 } }));
    expect(event).toMatchObject({ type: 'text_delta', text: 'hi' });
  });

  it.each([
    line({ type: 'text_delta' }),
    line({ type: 'text_delta', text: 5 }),
    line({ type: 'brand_new' }),
    line({ type: 'constructor' }),
    line({}),
    'null',
    '[]',
    '{"type":',
  ])('takes nothing from %s', (json) => {
    expect(parseEvent(json)).toBeUndefined();
  });

  it('reads the header of events it does not know', () => {
    expect(parseEventHeader(line({ type: 'brand_new', message: 'm' }))).toEqual({
      type: 'brand_new',
      turn: 'r',
      message: 'm',
    });
    expect(parseEventHeader('7')).toEqual({ type: '', turn: '', message: '' });
  });
});
