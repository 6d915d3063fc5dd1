import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const command = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');

export interface Finding {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly where: readonly string[];
}

interface Report {
  problems: {
    ruleId: string;
    severity: string;
    message: string;
    location: { pointer: string }[];
  }[];
}

/** Problems that redocly's recommended rules find in a document. Sends no usage data. */
export async function recommendedFindings(file: string): Promise<Finding[]> {
  const args = [command, 'lint', file, '--extends', 'recommended', '--format', 'json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
  const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report;
  return problems.map(({ ruleId, severity, message, location }) => ({
    ruleId,
    severity,
    message,
    where: location.map(({ pointer }) => pointer),
  }));
}
