import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Figure } from '../figure.ts';

/** The vocabulary of OpenAI's current models. */
const TOKENS_COUNTED_BY = 'o200k_base';

/** Tokens of the first request of a conversation: system prompt, tools and message, as they were sent. */
export const requestTokens: Figure = {
  name: 'request-tokens',
  async measure({ product: newProduct, bare, server }) {
    await using product = await newProduct();
    await server.take();
    await product.run();
    const ours = tokensOf((await server.take())[0]?.bodyText ?? '{}');
    await bare.run('hi');
    const theirs = tokensOf((await server.take())[0]?.bodyText ?? '{}');
    const { system, tools, messages } = ours;
    const total = system + tools + messages;
    const other = theirs.system + theirs.tools + theirs.messages;
    return [
      {
        what: `prompt tokens of a first "say hi" (${TOKENS_COUNTED_BY})`,
        product: `${total} (system ${system}, tools ${tools}, message ${messages})`,
        bare: `${other}`,
        ratio: `${(total / other).toFixed(0)}×`,
        target: { text: '≤ 1,200', limit: 1_200, value: total },
      },
    ];
  },
};

interface Request {
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: unknown;
}

function tokensOf(body: string) {
  const { messages = [], tools }: Request = JSON.parse(body);
  const text = (system: boolean) =>
    messages
      .filter(({ role }) => (role === 'system') === system)
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
      .join('\n');
  return {
    system: countTokens(text(true)),
    tools: tools === undefined ? 0 : countTokens(JSON.stringify(tools)),
    messages: countTokens(text(false)),
  };
}
