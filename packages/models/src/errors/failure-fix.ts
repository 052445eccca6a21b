import type { ErrorCode } from '@bulkhead/protocol';
import type { ProviderErrorContext } from './provider-error-context.ts';
import type { ProviderFailure } from './provider-failure.ts';

/** What a person can do about a failure, as a sentence; undefined where waiting is all. */
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
      return `Check the key in ${context.keyName}, in the environment or in secrets.json, then run \`bulkhead restart\`.`;
    case 'billing':
      return `Check the plan and the credit of your ${context.provider} account.`;
    case 'model_not_found':
      return `Check the model's name "${context.model}" and the base URL ${context.baseUrl}.`;
    default:
      return undefined;
  }
}

function networkFix(network: string, context: ProviderErrorContext): string {
  const host = new URL(context.baseUrl).host;
  if (network === 'ENOTFOUND' || network === 'EAI_AGAIN') {
    return `The name ${host} could not be resolved: check baseUrl and the network.`;
  }
  if (network === 'ECONNREFUSED')
    return `Nothing listens at ${host}: start the server there or correct baseUrl.`;
  return `Check that ${host} is up and that baseUrl (${context.baseUrl}) is right.`;
}
