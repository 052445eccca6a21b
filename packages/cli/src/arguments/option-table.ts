/** An option as a command declares it; help and parser read the same table. */
export interface OptionSpec {
  readonly about: string;
  /** Name of its value in the help; an option without a value is a switch. */
  readonly value?: string;
  readonly short?: string;
  /** The allowed values, if there are only a few words. */
  readonly choices?: readonly string[];
}

export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** Every command has these. */
export const COMMON_OPTIONS: OptionTable = {
  help: { about: 'show this help', short: 'h' },
  profile: { about: 'fail unless this profile is in use', value: 'NAME' },
};

export const JSON_OPTION: OptionTable = { json: { about: 'print JSON' } };
