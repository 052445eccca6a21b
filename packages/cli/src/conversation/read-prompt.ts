import { BulkheadError } from '@bulkhead/protocol';
import type { InputStream } from '../environment.ts';

/**
 * Time until the first byte of a pipe, milliseconds. A program that starts this one may leave a pipe
 * open that it never writes to.
 */
const FIRST_BYTE_MS = 3_000;

/**
 * The prompt, with what is piped into standard input below it; or standard input where it is `-`.
 *
 * @param tell receives a line for the person if a pipe stays silent
 * @throws BulkheadError `usage` if standard input is empty where it is the prompt
 */
export async function readPrompt(
  prompt: string,
  stdin: InputStream,
  tell: (line: string) => void,
): Promise<string> {
  if (prompt !== '-') {
    const text = stdin.isTTY === true ? '' : await pipedText(stdin, tell);
    return text.trim() === '' ? prompt : `${prompt}\n\n${text}`;
  }
  const text = await wholeText(stdin);
  if (text.trim() !== '') return text;
  throw new BulkheadError('usage', 'standard input is empty, there is no prompt', {
    fix: 'Send it something, as in `bulkhead run - < question.txt`.',
  });
}

async function wholeText(stdin: InputStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

async function pipedText(stdin: InputStream, tell: (line: string) => void): Promise<string> {
  const begun = Promise.withResolvers<'begun' | 'silent'>();
  const begin = (): void => begun.resolve('begun');
  const timer = setTimeout(() => begun.resolve('silent'), FIRST_BYTE_MS);
  const events = ['readable', 'end', 'close', 'error'] as const;
  for (const event of events) stdin.once(event, begin);
  try {
    if ((await begun.promise) === 'begun') return await wholeText(stdin);
  } catch {
    // A closed standard input is an empty one.
    return '';
  } finally {
    clearTimeout(timer);
    for (const event of events) stdin.off(event, begin);
  }
  stdin.destroy();
  tell('note: nothing came on standard input for 3 s, so only the prompt is sent');
  return '';
}
