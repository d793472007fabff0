import { AppError } from '../errors.ts';
import { LOCAL_PROFILE, type Profiles, readProfiles } from './profiles.ts';

/** Which server a command works on, as its options say. */
export interface RemoteOptions {
  server?: string;
  key?: string;
  profile?: string;
}

/** A server elsewhere, and the key that belongs to it. */
export interface Remote {
  server: string;
  key: string | undefined;
  from: 'option' | 'environment' | 'profile';
}

/**
 * The server a command works on: its options over CRAWL4R_SERVER and CRAWL4R_PROFILE over the profile in use. Undefined
 * means this machine's own data folder. A key of a profile is for its server alone; one of the options or the environment
 * goes to the server in use. Only the environment of the process counts, not .env: the files of a working folder must not
 * choose where a key is sent.
 */
export function chooseRemote(
  given: RemoteOptions,
  env: Record<string, string | undefined> = process.env,
  profiles: () => Profiles = readProfiles,
): Remote | undefined {
  const envKey = env.CRAWL4R_KEY || undefined;
  if (given.server !== undefined) return { server: given.server, key: given.key ?? envKey, from: 'option' };
  if (given.profile !== undefined) return ofProfile(given.profile, profiles(), given.key, undefined, 'option');
  if (env.CRAWL4R_SERVER) return { server: env.CRAWL4R_SERVER, key: given.key ?? envKey, from: 'environment' };
  if (env.CRAWL4R_PROFILE) return ofProfile(env.CRAWL4R_PROFILE, profiles(), given.key, envKey, 'environment');
  const known = profiles();
  if (known.current !== undefined) return ofProfile(known.current, known, given.key, envKey, 'profile');
  if (given.key !== undefined)
    throw new AppError('USAGE', '--key is for a server, and none is named', {
      hint: 'Give --server URL too; without a server a command works on the data folder and needs no key.',
    });
  return undefined;
}

function ofProfile(
  name: string,
  { profiles }: Profiles,
  key: string | undefined,
  envKey: string | undefined,
  from: Remote['from'],
): Remote | undefined {
  if (name === LOCAL_PROFILE) return undefined;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined)
    throw new AppError('USAGE', `there is no profile "${name}"`, {
      hint: 'crawl4r profiles list shows them; add one with: crawl4r profiles add NAME --server URL --key -',
    });
  return { server: profile.server, key: key ?? envKey ?? profile.key, from };
}
