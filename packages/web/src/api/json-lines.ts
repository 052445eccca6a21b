import type { JsonValue } from '@bufbuild/protobuf';

/** The values of a body of JSON lines, as they arrive. */
export async function* jsonLines(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): AsyncGenerator<JsonValue> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line);
    }
    if (rest !== '') yield JSON.parse(rest);
  } finally {
    await reader.cancel();
  }
}
