/** Nothing is added to `env`: Node hands NODE_V8_COVERAGE on to every child unless the name is there with no value. */
export function exactEnvironment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { NODE_V8_COVERAGE: undefined, ...env };
}
