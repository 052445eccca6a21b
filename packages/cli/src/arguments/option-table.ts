/** An option as a command declares it; help and parser read the same table. */
export interface OptionSpec {
  readonly about: string;
  /** Name of its value in the help; an option without one is a switch. */
  readonly value?: string;
  readonly short?: string;
  /** What its value may be, where it is one of a few words. */
  readonly choices?: readonly string[];
}

export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** Every command knows these. */
export const COMMON_OPTIONS: OptionTable = {
  help: { about: 'show this help', short: 'h' },
  profile: { about: 'go on only if this profile is in use', value: 'NAME' },
};

export const JSON_OPTION: OptionTable = { json: { about: 'print JSON' } };
