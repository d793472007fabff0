/** Names of other programs' settings that mean something here too, so that their .env files can be used as they are. */

interface Alias {
  /** The setting it stands for; what that one itself says wins. */
  setting: readonly [group: string, field?: string];
  about: string;
  /** Its value in the words of the setting; undefined: it says nothing. */
  convert(value: string): string | undefined;
}

const DAY_S = 86_400;

export const ALIASES: Readonly<Record<string, Alias>> = {
  // Many programs read DEBUG, each in its own way: only a plain yes counts here.
  DEBUG: {
    setting: ['logLevel'],
    about: 'true is LOG_LEVEL=debug.',
    convert: (value) => (/^(true|1|yes)$/i.test(value) ? 'debug' : undefined),
  },
  JOB__RESULT_TTL_S: {
    setting: ['retention', 'jobsD'],
    about: 'RETENTION__JOBS_D, in seconds.',
    convert: (value) => String(Number(value) / DAY_S),
  },
};

/** Names that are known and have nothing to set here, each with the reason. */
export const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  APP_NAME: 'The name is always crawl4r.',
  DATABASE__MAX_OVERFLOW: 'DATABASE__POOL_SIZE is the most; idle connections are closed.',
  FEATURES__ENABLE_PROXY_ROTATION: 'Proxies rotate for the domains they are assigned to, and nowhere else.',
};
