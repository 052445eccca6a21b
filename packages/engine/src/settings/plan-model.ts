import { createHash } from 'node:crypto';
import type { ModelRole } from '@bulkhead/home/config/config-schema';
import { modelRoles } from '@bulkhead/home/config/schema/model-roles';
import { plainWords } from '@bulkhead/home/config/schema/plain-words';
import { KEY_OF_ADDRESS, type ProviderFacts, providerFacts } from '@bulkhead/models';
import { BulkheadError } from '@bulkhead/protocol';

/** A proposed chat model. Empty strings mean "not given". */
export interface ModelTrial {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** A secret. */
  readonly key: string;
}

/** The result of planning a trial. */
export interface ModelPlan {
  readonly role: ModelRole;
  /** The name for finding and storing its key; undefined if none is sent. */
  readonly keyName: string | undefined;
  /** Where requests, and the key, go. Undefined for the offline model. */
  readonly origin: string | undefined;
}

/**
 * Decides the role of a trial, and the key that may go there: the typed one; else one that belongs
 * to exactly this address, because it is the provider's own, was configured for it, or was stored
 * for it.
 *
 * @param configured the chat model of the file
 * @param isThere whether a key of this name exists
 * @throws BulkheadError `config_invalid` for a role that `config.yaml` could not hold
 */
export function planModel(
  trial: ModelTrial,
  configured: ModelRole | undefined,
  isThere: (keyName: string) => boolean,
): ModelPlan {
  const facts = factsOf(trial.provider);
  const known = configured?.provider === trial.provider ? configured : undefined;
  const role = checkedRole(trial, known, facts);
  const address = role.baseUrl ?? facts.baseUrl;
  if (address === undefined) return { role, keyName: undefined, origin: undefined };
  const { origin } = new URL(address);
  if (known !== undefined && originOf(known) === origin && known.apiKeyEnv !== undefined) {
    return { role: { ...role, apiKeyEnv: known.apiKeyEnv }, keyName: known.apiKeyEnv, origin };
  }
  const own = ownKeyName(address);
  const usual = facts.baseUrl !== undefined && new URL(facts.baseUrl).origin === origin;
  if (usual && facts.key !== 'none') return { role, keyName: facts.keyName, origin };
  const hasOwn = trial.key !== '' || isThere(own);
  if (!hasOwn && facts.key === 'none') return { role, keyName: undefined, origin };
  // Configured by the user: this address may keep receiving the key.
  if (!hasOwn && facts.key === 'optional' && known !== undefined && originOf(known) === origin)
    return { role, keyName: facts.keyName, origin };
  // Also without a key: else a later one would go there.
  return { role: { ...role, apiKeyEnv: own }, keyName: own, origin };
}

/** The origin of a role's requests. Undefined for the offline model, and for an invalid one. */
export function originOf({ provider, baseUrl }: ModelRole): string | undefined {
  const address = baseUrl ?? providerFacts(provider)?.baseUrl;
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}

function factsOf(provider: string): ProviderFacts {
  // An unknown provider fails when the role is read, with the schema's message.
  return providerFacts(provider) ?? { keyName: '', key: 'none', baseUrl: undefined };
}

/** Size, price and thinking belong to a model: they stay only with it. */
function checkedRole(trial: ModelTrial, known: ModelRole | undefined, facts: ProviderFacts): ModelRole {
  const { provider, model } = trial;
  const baseUrl = trial.baseUrl.trim().replace(/\/+$/, '');
  const { apiKeyEnv: _name, baseUrl: _address, ...rest } = known?.model === model ? known : {};
  const hasServer = facts.baseUrl !== undefined || facts.key !== 'none';
  const isOwn = baseUrl === '' || baseUrl === facts.baseUrl || !hasServer;
  const parsed = modelRoles.shape.chat.safeParse(
    { ...rest, provider, model: model.trim(), ...(isOwn ? {} : { baseUrl }) },
    { error: plainWords },
  );
  const role = parsed.data;
  if (role === undefined) throw notValid(parsed.error?.issues[0]);
  if (role.baseUrl === undefined && facts.baseUrl === undefined && hasServer) {
    throw new BulkheadError('config_invalid', `models.chat.baseUrl: ${provider} needs an address`, {
      fix: 'For example http://127.0.0.1:8080/v1.',
    });
  }
  return role;
}

function notValid(
  issue: { readonly path: PropertyKey[]; readonly message: string } | undefined,
): BulkheadError {
  const key = ['models.chat', ...(issue?.path ?? []).map(String)].join('.');
  return new BulkheadError('config_invalid', `${key}: ${issue?.message ?? 'is not valid'}`, {
    fix: 'See docs/configuration.md, "Models".',
  });
}

/**
 * The name under which the key for one address is stored, if it is not the provider's own. It
 * belongs to the address: another address has another name, so changing a base URL can't redirect a
 * stored key.
 *
 * @param address a valid `http` or `https` address
 */
function ownKeyName(address: string): string {
  const { origin, host } = new URL(address);
  const readable = host.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  // The readable parts of two hosts may be equal; the hash distinguishes them.
  const hash = createHash('sha256').update(origin).digest('hex').slice(0, 12).toUpperCase();
  return `${KEY_OF_ADDRESS}${readable.slice(0, 64)}_${hash}`;
}
