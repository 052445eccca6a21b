/*
 * The least a client can be: posts a streaming chat completion, prints the text as it comes, does the two tool
 * calls the benchmark asks for itself. `node bare-client.mjs BASE_URL MODEL PROMPT`. Plain JavaScript: nothing is
 * stripped or compiled before it runs.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const [url, model, prompt] = process.argv.slice(2);
const messages = [{ role: 'user', content: prompt }];

for (;;) {
  const answer = await ask();
  if (answer.calls.length === 0) break;
  messages.push({ role: 'assistant', content: answer.text, tool_calls: answer.calls });
  for (const call of answer.calls) {
    messages.push({ role: 'tool', tool_call_id: call.id, content: await perform(call) });
  }
}

async function ask() {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, stream: true, stream_options: { include_usage: true } }),
  });
  const answer = { text: '', calls: [] };
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) take(line, answer);
  }
  return answer;
}

function take(line, answer) {
  if (!line.startsWith('data: {')) return;
  const delta = JSON.parse(line.slice(6)).choices[0]?.delta;
  if (delta?.content) {
    answer.text += delta.content;
    process.stdout.write(delta.content);
  }
  for (const { index, id, function: piece } of delta?.tool_calls ?? []) {
    answer.calls[index] ??= { id, type: 'function', function: { name: piece.name, arguments: '' } };
    answer.calls[index].function.arguments += piece.arguments;
  }
}

async function perform(call) {
  const args = JSON.parse(call.function.arguments);
  if (call.function.name === 'read') return readFile(args.path, 'utf8');
  const { stdout } = await promisify(execFile)('bash', ['-c', args.command]);
  return stdout;
}
