import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigurationError } from '@screen-advertising/core';
import { accessVariables } from '@screen-advertising/core/platform';

type Environment = Readonly<Record<string, string | undefined>>;

/** In a profile as they are. */
const plain = { base_url: 'baseUrl', client_id: 'clientId', rate_limit: 'rateLimit' } as const;
/** In a profile by where they are kept. */
const secret = {
  api_key: 'apiKey',
  client_secret: 'clientSecret',
  coupon_key: 'couponKey',
} as const;

export const profileHelp = `Profiles, chosen with --profile or SCREEN_ADVERTISING_PROFILE, are in
profiles.json in ~/.config/screen-advertising, or where SCREEN_ADVERTISING_PROFILES says:
  { "acme": { "base_url": "https://service.example/api/v1",
              "api_key": { "command": ["pass", "show", "screen-advertising"] } } }
A secret is { "env": "NAME" }, { "file": "PATH" }, or { "command": ["PROGRAM", "ARGUMENT"] }.
`;

/** The variables of an access: those of the environment, or of a profile in its place. */
export async function accessFromProfile(
  env: Environment,
  chosen: string | undefined,
): Promise<Environment> {
  const name = chosen ?? env.SCREEN_ADVERTISING_PROFILE;
  if (!name) return env;
  const { XDG_CONFIG_HOME = join(homedir(), '.config') } = env;
  const file =
    env.SCREEN_ADVERTISING_PROFILES ?? join(XDG_CONFIG_HOME, 'screen-advertising', 'profiles.json');
  const profiles = await readProfiles(file);
  if (!Object.hasOwn(profiles, name)) {
    const known = Object.keys(profiles).join(', ') || 'none';
    // What was typed may be a secret in the wrong place.
    throw refused(`There is no profile of this name in ${file}, which has: ${known}.`);
  }
  const profile = profiles[name];
  if (!isRecord(profile)) {
    throw refused(
      `Profile "${name}" in ${file} must be a JSON object with base_url and api_key, or with client_id and client_secret in its place.`,
    );
  }
  const access: Record<string, string> = {};
  for (const [key, value] of Object.entries(profile)) {
    if (key in plain) access[accessVariables[plain[key as keyof typeof plain]]] = String(value);
    else if (key in secret) {
      const variable = accessVariables[secret[key as keyof typeof secret]];
      const what = `${key} of profile "${name}"`;
      access[variable] = await readSecret(value, what, env);
      if (access[variable] === '') throw refused(`The ${what} is empty.`);
    } else {
      const names = [...Object.keys(plain), ...Object.keys(secret)].join(', ');
      throw refused(`Profile "${name}" has an unknown field. It may have: ${names}.`);
    }
  }
  return access;
}

async function readProfiles(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw refused(`The profiles cannot be read: ${error.message}.`);
  });
  try {
    const profiles: unknown = JSON.parse(text);
    if (isRecord(profiles)) return profiles;
  } catch {
    // Its message would quote the file.
  }
  throw refused(`${file} must be a JSON object with profiles by name.`);
}

/** Errors name where a secret should be, and never hold it. */
async function readSecret(value: unknown, what: string, env: Environment): Promise<string> {
  const { env: variable, file, command } = isRecord(value) ? value : {};
  if (typeof variable === 'string') {
    const found = env[variable];
    if (found) return found;
    throw refused(`Set ${variable}, the ${what}.`);
  }
  if (typeof file === 'string') {
    const text = await readFile(file, 'utf8').catch((error: Error) => {
      throw refused(`The ${what} cannot be read: ${error.message}.`);
    });
    return text.trim();
  }
  const [program, ...args] = Array.isArray(command) ? command.map(String) : [];
  if (program !== undefined) {
    const { stdout } = await promisify(execFile)(program, args).catch(
      (error: { code?: unknown }) => {
        throw refused(`The command ${program} for the ${what} failed (${String(error.code)}).`);
      },
    );
    return stdout.trim();
  }
  throw refused(
    `The ${what} must say where it is kept: { "env": "NAME" }, { "file": "PATH" }, or { "command": ["PROGRAM"] }.`,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(message: string): ConfigurationError {
  return new ConfigurationError('profile', message);
}
