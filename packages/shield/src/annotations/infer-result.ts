import type { EffectKind, FieldAnnotation, ResultAnnotation, Writer } from '@bulkhead/protocol';
import { nameParts, type ToolDefinition } from './infer-effect.ts';

const field = (writer: Writer, as?: 'identity' | 'name'): FieldAnnotation =>
  as === undefined ? { writer } : { writer, as };

const spread = (names: string, annotation: FieldAnnotation): Readonly<Record<string, FieldAnnotation>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, annotation]));

/** Fields common in services of all kinds, and their writers. */
function commonFields(writer: Writer): Readonly<Record<string, FieldAnnotation>> {
  return {
    ...spread('id id_ _id uuid', field('service', 'identity')),
    ...spread(
      'sender from author to recipient recipients cc bcc participants attendees organizer email phone iban',
      field(writer, 'identity'),
    ),
    ...spread('subject title name filename file_name', field(writer, 'name')),
    ...spread('timestamp created_at updated_at last_modified size status read', field('service')),
  };
}

/**
 * Returns who can write a tool's result: anyone, unless its definition says it is the user's, the
 * service's or a listing.
 */
export function inferResult(
  { name, description, inputSchema }: ToolDefinition,
  effect: EffectKind,
): ResultAnnotation {
  if (effect === 'fetch') return { writer: 'external' };
  if (effect !== 'read') return { writer: 'service', fields: commonFields('service') };
  const words = new Set([...nameParts(name), ...nameParts(description)]);
  const says = (...any: readonly string[]): boolean => any.some((word) => words.has(word));
  if (
    /\b(?:user information|user info|current (?:user|bank account|account)|my (?:profile|account))\b/iu.test(
      description,
    )
  ) {
    return { writer: 'user' };
  }
  if (/\bcurrent (?:day|date|time)\b|\bbalance\b/iu.test(description)) return { writer: 'service' };
  if (says('contact', 'contacts') && !says('restaurant', 'hotel', 'company')) {
    return { writer: 'workspace', fields: commonFields('workspace') };
  }
  if (says('review', 'reviews', 'comment', 'comments', 'feedback')) {
    return { writer: 'external', keys: field('service', 'identity') };
  }
  if (isAboutGiven(description, inputSchema))
    return { writer: 'service', keys: field('service', 'identity') };
  if (isListing(description)) {
    return { writer: 'external', items: field('service', 'identity'), fields: commonFields('external') };
  }
  return { writer: 'external', fields: commonFields('external') };
}

/** "Get the price of the given hotels": facts about things that the caller named. */
function isAboutGiven(description: string, { properties }: ToolDefinition['inputSchema']): boolean {
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return names.some((name) => /names?$/u.test(name)) && /\b(?:of|for) the (?:given )?\w+/iu.test(description);
}

/** "Get all hotels in the given city", "Get the list of channels": a listing. */
function isListing(description: string): boolean {
  return /^(?:get|list|returns?|retrieve)s? (?:all|the list of)\b/iu.test(description);
}
