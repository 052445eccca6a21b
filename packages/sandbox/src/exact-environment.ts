/**
 * Keeps `env` exact: Node passes NODE_V8_COVERAGE to every child unless the name exists without a
 * value.
 */
export function exactEnvironment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { NODE_V8_COVERAGE: undefined, ...env };
}
