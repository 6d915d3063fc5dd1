import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const command = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');

interface Problem {
  readonly ruleId: string;
  readonly location: readonly { readonly pointer: string }[];
}

/** The rules of redocly's recommended ones that a document breaks, each with where. Sends no usage data. */
export async function redoclyFindings(file: string): Promise<string[][]> {
  const args = [command, 'lint', file, '--extends', 'recommended', '--format', 'json'];
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const env = { ...process.env, ...quiet };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{')));
  return problems.map(({ ruleId, location }: Problem) => [
    ruleId,
    ...location.map(({ pointer }) => pointer),
  ]);
}
