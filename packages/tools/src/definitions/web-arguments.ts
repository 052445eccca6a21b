import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';
import { parseWebUrl } from '../egress/web-url.ts';
import { nameArgument } from './argument-types.ts';

const MAX_URL_BYTES = 8_192;

/** A URL that the one parser accepts, as it was written. */
export function urlArgument() {
  return nameArgument(MAX_URL_BYTES).superRefine((text, context) => {
    try {
      parseWebUrl(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: BulkheadError.from(error).message });
    }
  });
}

/** Names and values, both texts. What may be sent is judged where it is sent. */
export function headersArgument() {
  return z.record(nameArgument(256), nameArgument(8_192));
}

/** The host a URL names: what judges see and what is connected to come from the same parser. */
export function hostsOf(url: string): readonly string[] {
  return [parseWebUrl(url).host.text];
}
