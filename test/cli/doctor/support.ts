import { type AssumptionName, assumptions } from '@screen-advertising/core/contract';
import { typed } from '../command.ts';

/** What `doctor --json` prints. */
interface Printed {
  readonly base_url: string;
  readonly at: string;
  readonly checks: readonly Check[];
}

interface Check {
  readonly id: string;
  readonly state: string;
  readonly found: string;
  readonly action?: string;
}

export const clientCredentials = (baseUrl: string, clientId: string, clientSecret: string) => ({
  SCREEN_ADVERTISING_BASE_URL: baseUrl,
  SCREEN_ADVERTISING_CLIENT_ID: clientId,
  SCREEN_ADVERTISING_CLIENT_SECRET: clientSecret,
});

/** Runs doctor and reads its JSON. */
export async function doctor(env: Readonly<Record<string, string>>, ...args: string[]) {
  const { code, output, errors } = await typed(['doctor', '--json', ...args], env);
  const printed = JSON.parse(output) as Printed;
  const by = (kind: string) => printed.checks.filter(({ state }) => state === kind);
  return { code, output, errors, printed, differing: by('differs'), by };
}

/** The assumptions that doctor examines, with `--write` or without. */
export function questions(write = true): AssumptionName[] {
  return (Object.keys(assumptions) as AssumptionName[]).filter((name) =>
    (write ? ['doctor', 'doctor --write'] : ['doctor']).includes(assumptions[name].answeredBy),
  );
}

/** Rows that lines take on a screen of 100 columns. */
export function rowsOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / 100)), 0);
}
