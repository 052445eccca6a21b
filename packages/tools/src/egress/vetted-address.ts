import { type AddressClass, carriedAddress, classifyAddress, type LocalNetwork } from './address-class.ts';
import { type IpAddress, parseIp } from './ip-address.ts';

/** An address that may be dialled. Only `vet` creates one, and only such addresses are dialled. */
export class VettedAddress {
  readonly ip: IpAddress;
  /** Its class: `public`, or one that was opened. */
  readonly kind: AddressClass;
  readonly #vetted = true;

  private constructor(ip: IpAddress, kind: AddressClass) {
    this.ip = ip;
    this.kind = kind;
  }

  /** True for instances that this class created. */
  static is(value: unknown): value is VettedAddress {
    return typeof value === 'object' && value !== null && #vetted in value;
  }

  /**
   * Vets every address a name has. One forbidden address refuses all: a mixed answer is an attempt
   * to have a good address checked and a bad one dialled.
   *
   * @param answers the resolver's, as text
   * @param opened classes besides `public` that this host may have
   * @returns the addresses to dial, in the resolver's order; a sentence if it refuses
   */
  static vet(
    answers: readonly string[],
    opened: ReadonlySet<AddressClass>,
    local: readonly LocalNetwork[],
  ): readonly VettedAddress[] | string {
    if (answers.length === 0) return 'has no address';
    const vetted: VettedAddress[] = [];
    for (const answer of answers) {
      const ip = parseIp(answer);
      if (ip === undefined) return `has ${JSON.stringify(answer.slice(0, 60))} as an address, which is none`;
      const { kind, what } = classifyAddress(ip, local);
      if (kind !== 'public' && !opened.has(kind)) return `leads to ${ip.text}, which is ${what}`;
      vetted.push(new VettedAddress(carriedWithin(ip), kind));
    }
    return vetted;
  }
}

/**
 * `::ffff:a.b.c.d` is dialled as version 4. A translated address (64:ff9b::) must be dialled as it
 * stands.
 */
function carriedWithin(ip: IpAddress): IpAddress {
  return ip.text.startsWith('::ffff:') ? (carriedAddress(ip) ?? ip) : ip;
}
