/**
 * Arguments that a boxed Node needs before its script.
 *
 * OpenSSL reads a configuration file at start and aborts Node if the file exists but may not be
 * read, as in a box. No one can create an unknown name below `/proc/self`, so it is reported as
 * missing, which OpenSSL accepts. Native code is never loaded: JavaScript can't undo that.
 */
export const boxedNodeArguments: readonly string[] = [
  '--openssl-config=/proc/self/no-openssl-configuration',
  '--no-addons',
];
