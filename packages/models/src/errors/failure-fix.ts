import type { ErrorCode } from '@bulkhead/protocol';
import { keyFix } from './key-fix.ts';
import { BAD_PORT } from './network-code.ts';
import type { ProviderErrorContext } from './provider-error-context.ts';
import { MALFORMED_RESPONSE, type ProviderFailure } from './provider-failure.ts';

/** For an incomplete or unreadable answer: none of it is used. */
export const BROKEN_ANSWER_FIX =
  'The received part is not used. Send the message again; if this happens again, check the network and the server.';

/** The remedy for a failure, as a sentence; undefined if the person can only wait. */
export function failureFix(
  code: ErrorCode,
  failure: ProviderFailure,
  context: ProviderErrorContext,
): string | undefined {
  if (failure.network !== undefined && failure.status === undefined)
    return networkFix(failure.network, context);
  switch (code) {
    case 'auth':
    case 'auth_permanent':
      return refusedKeyFix(failure, context);
    case 'billing':
      return `Check the plan and the credit of your ${context.provider} account.`;
    case 'model_not_found':
      return `Check the model's name "${context.model}" and the base URL ${context.baseUrl}.`;
    case 'server_error':
      return failure.type === MALFORMED_RESPONSE ? BROKEN_ANSWER_FIX : undefined;
    default:
      return undefined;
  }
}

function refusedKeyFix({ status }: ProviderFailure, context: ProviderErrorContext): string {
  const { keyName, keySource, model, namesNoKey } = context;
  const start = namesNoKey ? `Give the model an \`apiKeyEnv: ${keyName}\` in config.yaml. ` : '';
  // 403 is also the answer to a good key that lacks a right.
  const end = status === 403 ? ` A key that is right may lack the right to use "${model}".` : '';
  return `${start}${keyFix(keyName, keySource)}${end}`;
}

function networkFix(network: string, context: ProviderErrorContext): string {
  const host = new URL(context.baseUrl).host;
  if (network === 'ENOTFOUND' || network === 'EAI_AGAIN') {
    return `The name ${host} could not be resolved. Is this the address of the API? Check baseUrl (${context.baseUrl}) and the network.`;
  }
  if (network === BAD_PORT) {
    return `No request is ever sent to this port. Is this the address of the API? Correct baseUrl (${context.baseUrl}).`;
  }
  if (network === 'ECONNREFUSED')
    return `Nothing listens at ${host}: start the server there or correct baseUrl.`;
  return `Check that ${host} is up and that baseUrl (${context.baseUrl}) is right.`;
}
