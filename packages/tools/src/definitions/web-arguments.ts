import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';
import { parseWebUrl } from '../egress/web-url.ts';
import { nameArgument } from './argument-types.ts';

const MAX_URL_BYTES = 8_192;

/** A URL that the one parser accepts, unchanged. */
export function urlArgument() {
  return nameArgument(MAX_URL_BYTES).superRefine((text, context) => {
    try {
      parseWebUrl(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: BulkheadError.from(error).message });
    }
  });
}

/** Names and values, both texts. The broker decides which headers may be sent. */
export function headersArgument() {
  return z.record(nameArgument(256), nameArgument(8_192));
}

/** The host that a URL names: judgement and connection use the same parser. */
export function hostsOf(url: string): readonly string[] {
  return [parseWebUrl(url).host.text];
}
