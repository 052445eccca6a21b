import { describe, expect, it } from 'vitest';
import { Topic } from './shared-words.ts';

const now = new Date('2026-11-22T12:00:00Z');
const hit = (text: string, heading = '', date = '') => ({ text, heading, date });

describe('the subject of a message', () => {
  it('is in a text with one of its words, however spelled, or with one that stands for it', () => {
    const topic = new Topic('Where did we put the keys of the cabin?', now);
    expect(topic.isIn(hit('The CABINS are locked in winter.'))).toBe(true);
    expect(topic.isIn(hit('nothing here', 'Cabin'))).toBe(true);
    expect(new Topic('what does mom like?', now).isIn(hit('Mother prefers tea.'))).toBe(true);
  });

  it('is not in a text that shares only what every text has', () => {
    const topic = new Topic('Where did we put the keys of the cabin?', now);
    expect(topic.isIn(hit('This is about the invoice that we did on Monday.'))).toBe(false);
  });

  it('is in any text if the message asks for days, or says nothing', () => {
    expect(new Topic('what happened last May?', now).isIn(hit('Rain.', '', '2026-05-03'))).toBe(true);
    expect(new Topic('and you?', now).isIn(hit('Rain.'))).toBe(true);
  });
});
