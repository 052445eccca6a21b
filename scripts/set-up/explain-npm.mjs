/** @type {[RegExp, string][]} */
const CAUSES = [
  [/ENOSPC/, 'The disk is full. Free about 700 MB and run this again.'],
  [
    /EACCES|EPERM|EROFS/,
    'npm may not write here. Make the checkout (and the npm cache in your home) yours and run this again.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network/i,
    'The npm registry could not be reached. Check the network, the proxy and `npm config get registry`, then run this again.',
  ],
  [
    /E401|E403|ENEEDAUTH/,
    'The npm registry refused the request. Check `npm config get registry` and your login there, then run this again.',
  ],
  [
    /EINTEGRITY/,
    'A downloaded package is not the one that was locked. Run `npm cache verify`; if it stays, your registry serves something else.',
  ],
  [
    /EUSAGE|can only install packages/i,
    'package.json and package-lock.json do not fit together. Run `git status`; `git checkout package-lock.json` takes your change back, `npm install` takes it over.',
  ],
  [
    /ETARGET|E404/,
    'Your npm registry does not have a package that is needed. Check `npm config get registry`.',
  ],
  [/ENOENT.*npm|spawn npm/, 'npm was not found. Install it beside Node.js and run this again.'],
];

/**
 * @param {string} output What `npm ci` said.
 * @returns {string} Why it failed, as far as can be told, and what to do.
 */
export function explainNpmFailure(output) {
  const found = CAUSES.find(([pattern]) => pattern.test(output));
  return found?.[1] ?? 'Run `npm ci --ignore-scripts` to see more.';
}
