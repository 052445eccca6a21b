import type { RecordedRequest, ScriptedReply, ScriptHandler } from '@bulkhead/testkit';
import { sentMessages } from './wire-history.ts';

/** A tool as programs declare it for chat completions. */
export const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} as const;

/** The same for responses. */
export const WEATHER_RESPONSES = { type: 'function', strict: false, ...WEATHER.function } as const;

/** Asks for the weather in these cities in one round, then repeats the results that it received. */
export function weatherModel(...cities: readonly string[]): ScriptHandler {
  return (request): ScriptedReply => {
    const results = sentMessages(request).flatMap((message) => message.results);
    if (results.length > 0) return { text: `told: ${results.map(({ text }) => text).join(', ')}` };
    return {
      text: 'Let me look.',
      toolCalls: cities.map((city) => ({ name: 'client_get_weather', args: { city } })),
    };
  };
}

/** The last message of the person, as the model received it. */
function lastWords(request: RecordedRequest): string {
  return sentMessages(request).findLast(({ role }) => role === 'user')?.text ?? '';
}

/** Says back how many messages it was sent, and the last of them. */
export const counting: ScriptHandler = (request) => ({
  text: `${sentMessages(request).length}: ${lastWords(request)}`,
});
