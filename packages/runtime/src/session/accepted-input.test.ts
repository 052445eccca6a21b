import { create } from '@bufbuild/protobuf';
import { inputBody, readInput } from '@bulkhead/log/session/accepted-input';
import { RECORD_VERSION } from '@bulkhead/protocol';
import { AttachmentSchema, ImageSchema } from '@bulkhead/protocol/chat';
import { parseLogRecord } from '@bulkhead/protocol/records';
import { describe, expect, it } from 'vitest';
import { sentMessage } from '../testing/run-stage.ts';
import { checkInput } from './check-input.ts';

const file = (name: string, text: string) => create(AttachmentSchema, { name, text });
const png = (bytes: number) => create(ImageSchema, { mediaType: 'image/png', data: new Uint8Array(bytes) });

function readStored(body: object, version = RECORD_VERSION) {
  const record = parseLogRecord({ type: 'input_accepted', version, entry: null }, JSON.stringify(body));
  return record.type === 'input_accepted' ? readInput('m', record.body) : undefined;
}

describe('a stored message', () => {
  it('is read back as it was accepted, images and files too [T2]', () => {
    const input = sentMessage('m', {
      delivery: 'steer',
      origin: { channel: 'telegram', chat: '-4', sender: { id: 'tg-7', name: 'Anna' }, profile: 'work' },
      images: [create(ImageSchema, { mediaType: 'image/png', data: Uint8Array.from([1, 2, 255]) })],
      attachments: [file('a.txt', 'what it says')],
      options: {
        approve: 'ask',
        maxRounds: 3,
        dryRun: true,
        model: 'p/m',
        baseUrl: 'http://x',
        shownIn: 'web',
      },
    });
    const stored = JSON.parse(JSON.stringify(inputBody(input)));
    expect(readInput('m', stored)).toEqual(input);
  });

  it('of version 1 is a follow-up that was no dry run', () => {
    const stored = { content: 'hi', options: { approve: 'allow', model: '', baseUrl: '', maxRounds: 0 } };
    expect(readStored(stored, 1)).toMatchObject({
      content: 'hi',
      images: [],
      delivery: 'follow_up',
      options: { approve: 'allow', dryRun: false },
    });
    expect(readStored(stored, 1)).not.toHaveProperty('origin');
  });

  it('that says something unknown is read as what does least', () => {
    const stored = { content: 'hi', delivery: 'teleport', options: { approve: 'maybe', dryRun: 'yes' } };
    expect(readStored(stored)).toMatchObject({
      delivery: 'follow_up',
      options: { approve: 'deny', dryRun: true },
    });
    for (const origin of ['web', { channel: 'web' }, { channel: 'web', sender: { id: 1 }, profile: 'x' }]) {
      expect(readStored({ content: 'x', origin, options: {} })).not.toHaveProperty('origin');
    }
    expect(() => readStored({ options: {} })).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
    expect(readStored({ content: 'x', images: [{ nonsense: 1 }], options: {} })).toBeUndefined();
  });
});

describe('a message that is sent', () => {
  it.each([
    ['without text', { content: '  \n' }, 'empty'],
    ['as long as a book', { content: 'x'.repeat(1_000_001) }, 'longer than'],
    ['without an id', { messageId: '' }, 'an id'],
    ['with half a character as id', { messageId: '\ud800' }, 'an id'],
    [
      'with an image of no known kind',
      { images: [create(ImageSchema, { mediaType: 'image/svg+xml' })] },
      'no type',
    ],
    [
      'as long as a book with its files',
      { content: 'x', attachments: [file('a', 'y'.repeat(500_000)), file('b', 'y'.repeat(500_000))] },
      'with its files',
    ],
    [
      'with 21 files',
      { attachments: Array.from({ length: 21 }, () => file('a', 'x')) },
      'more than 20 files',
    ],
    ['with a file without a name', { attachments: [file(' ', 'x')] }, 'a name'],
    ['with a file of two lines of name', { attachments: [file('a\nb', 'x')] }, 'a name'],
    ['with an empty image', { images: [png(0)] }, 'bytes'],
    ['with an image too large', { images: [png(5 * 1024 * 1024 + 1)] }, 'bytes'],
    ['with too many images', { images: Array.from({ length: 21 }, () => png(1)) }, 'more than 20'],
  ])('%s is refused', (_what, fields, reason) => {
    expect(() => checkInput(sentMessage('m', fields))).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(reason) }),
    );
  });

  it('may be an image alone', () => {
    expect(() => checkInput(sentMessage('m', { content: '', images: [png(10)] }))).not.toThrow();
  });
});
