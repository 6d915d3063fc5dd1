import { ConfigurationError, nodeTransport } from '@screen-advertising/core';
import { parseBaseUrl, readAccess } from '@screen-advertising/core/platform';
import type { Command } from 'commander';
import type { Terminal } from '../program.ts';
import { examine } from './examine.ts';
import { report } from './report.ts';

const exitCodes = `
Exit codes:
  0  Everything works
  1  Something differs, and does not work
  2  The service cannot be reached, or refuses the credentials
`;

interface Given {
  readonly email?: string;
  readonly code?: string;
  readonly write?: true;
  readonly json?: true;
}

/** Adds `doctor`, which finds out how the service differs from what the connectors assume. */
export function addDoctor(
  root: Command,
  { env, version, write, writeError, stop }: Terminal,
  end: (exitCode: number) => void,
): void {
  const command = root
    .command('doctor')
    .description(
      `checks how the service works where its specification leaves it open, in at most 40 requests that change nothing`,
    )
    .option('--email <address>', 'a user to look up; with --write, also the lead of the coupon')
    .option('--write', 'also creates and revokes one coupon, and creates one landing link')
    .option('--code <code>', 'the code of that coupon')
    .option('--json', 'print JSON instead of text')
    .addHelpText('after', exitCodes);
  command.action(async (given: Given) => {
    const { email, code, write: writes = false, json } = given;
    if (writes && !(email && code)) command.error('error: --write needs --code and --email');
    try {
      const { auth, ...access } = readAccess(env);
      const baseUrl = parseBaseUrl(access.baseUrl);
      const userAgent = `screen-advertising-cli/${version}`;
      const transport = nodeTransport();
      const options = { email, code, write: writes };
      const reach = { baseUrl, auth, transport, userAgent, stop };
      const examination = await examine(reach, options);
      stop.throwIfAborted();
      const { checks, failure } = examination;
      const at = new Date().toISOString();
      if (json) await write(`${JSON.stringify({ base_url: baseUrl, at, checks }, null, 2)}\n`);
      else if (!failure) await write(report(baseUrl, examination, writes));
      if (failure) writeError(`${failure}${readAs(access.baseUrl, baseUrl)}\n`);
      end(failure ? 2 : Number(checks.some(({ state }) => state === 'differs')));
    } catch (error) {
      if (!ConfigurationError.isInstance(error)) throw error;
      writeError(`${error.message}\n`);
      end(2);
    }
  });
}

/** Where the requests went, if the version was missing or another path was cut off. */
function readAs(given: string, baseUrl: string): string {
  const isSame = given.trim().replace(/\/+$/, '') === baseUrl;
  return isSame ? '' : ` doctor read the base URL as ${baseUrl}.`;
}
