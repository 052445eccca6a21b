const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g;
const ROUTING = /\b\d{9}\b/g;
const BANKING =
  /\b(?:rout(?:ing|e)|account|beneficiary|wire|swift|bic|iban|aba|sort code|transfer|konto|compte|cuenta)\b/i;

/**
 * True if a text holds an account number with a valid check digit: an IBAN (ISO 13616), or a US
 * routing number (ABA).
 */
export function namesPaymentDetails(text: string): boolean {
  for (const [match] of text.matchAll(IBAN)) if (isIban(match.replaceAll(' ', ''))) return true;
  if (!BANKING.test(text)) return false;
  for (const [match] of text.matchAll(ROUTING)) if (isRouting(match)) return true;
  return false;
}

function isIban(text: string): boolean {
  if (text.length < 15 || text.length > 34) return false;
  let remainder = 0;
  for (const character of `${text.slice(4)}${text.slice(0, 4)}`) {
    const value = Number.parseInt(character, 36);
    remainder = (value > 9 ? remainder * 100 + value : remainder * 10 + value) % 97;
  }
  return remainder === 1;
}

function isRouting(text: string): boolean {
  const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];
  const sum = weights.reduce((total, weight, at) => total + weight * Number(text[at]), 0);
  return sum > 0 && sum % 10 === 0;
}
