/**
 * Stand-ins for quoted pieces: private-use characters around an index, taken out of requests
 * beforehand.
 */
const OPEN = '\uE000';
const CLOSE = '\uE001';
const STAND_INS = /[\uE000\uE001]/g;
const QUOTED = /```(?:\w*\n)?([\s\S]*?)```|`([^`\n]+)`|"([^"]*)"|“([^”]*)”|(?<![\w])'([^'\n]+)'(?!\w)/g;

/** One word of a clause: a quoted piece or anything without a space. */
export const WORD = `(?:${OPEN}\\d+${CLOSE}|[^\\s${OPEN}]+)`;

/** A request whose quoted pieces can't be torn apart. */
export interface QuotedText {
  /**
   * The text with a stand-in for each quoted piece and single spaces outside of them; line breaks
   * stay.
   */
  readonly text: string;
  /** Puts the quoted pieces back, without their quotes. */
  unquote(part: string): string;
  /** Puts the quoted pieces back as they were written. */
  requote(part: string): string;
  isQuoted(part: string): boolean;
}

export function protectQuotes(request: string): QuotedText {
  const pieces: string[] = [];
  const originals: string[] = [];
  const text = request
    .replaceAll(STAND_INS, '')
    .replaceAll(QUOTED, (match, ...groups: unknown[]) => {
      const piece = groups.slice(0, 5).find((group) => typeof group === 'string') ?? '';
      pieces.push(String(piece));
      originals.push(match);
      return `${OPEN}${pieces.length - 1}${CLOSE}`;
    })
    .replaceAll(/[^\S\n]+/g, ' ');
  const standIn = new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'g');
  return {
    text,
    unquote: (part) => part.replaceAll(standIn, (_match, index: string) => pieces[Number(index)] ?? ''),
    requote: (part) => part.replaceAll(standIn, (_match, index: string) => originals[Number(index)] ?? ''),
    isQuoted: (part) => new RegExp(`^${OPEN}\\d+${CLOSE}$`).test(part),
  };
}
