import { BulkheadError } from '@bulkhead/protocol';
import type { InputStream } from '../environment.ts';

/**
 * The prompt, or standard input where it is `-`.
 * @throws BulkheadError `usage` if standard input is empty
 */
export async function readPrompt(prompt: string, stdin: InputStream): Promise<string> {
  if (prompt !== '-') return prompt;
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.trim() !== '') return text;
  throw new BulkheadError('usage', 'standard input is empty, there is no prompt', {
    fix: 'Send it something, as in `bulkhead run - < question.txt`.',
  });
}
