import { readFileSync } from 'node:fs';
import { ConfigurationError } from '@screen-advertising/core';
import type { Command } from 'commander';
import type { Terminal } from '../program.ts';
import { printable } from '../table.ts';
import { type Explanation, explain, readCaptured } from './explain.ts';

const variable = 'SCREEN_ADVERTISING_SIGNING_SECRET';

/** Adds `explain-delivery`, which says how a captured delivery is signed, or why nothing fits. */
export function addExplainDelivery(
  root: Command,
  { env, write }: Terminal,
  end: (exitCode: number) => void,
): void {
  root
    .command('explain-delivery')
    .description('says how a captured webhook delivery is signed, and what the connectors read')
    .argument(
      '<file>',
      'headers, an empty line, and the body as it arrived; - reads standard input',
    )
    .option('--json', 'print JSON instead of text')
    .addHelpText(
      'after',
      `\nSet ${variable} to the signing secret.\nExit codes: 0 verified, 1 not verified.\n`,
    )
    .action(async (file: string, { json }: { readonly json?: true }) => {
      const secret = env[variable];
      if (!secret)
        throw new ConfigurationError('environment', `Set ${variable} to the signing secret.`);
      const captured = readCaptured(readFileSync(file === '-' ? 0 : file));
      if (!captured) throw new Error('There is no empty line between the headers and the body.');
      const explanation = explain(captured, secret, Date.now());
      const { verified } = explanation;
      const text = json ? `${JSON.stringify(explanation, null, 2)}\n` : asText(explanation);
      await write(printable(text));
      end(verified ? 0 : 1);
    });
}

function asText({ scheme, age_seconds: age, type, id, fields, notes }: Explanation): string {
  const signed = scheme && `${scheme.algorithm} over ${JSON.stringify(scheme.signed_content)}`;
  const rows = {
    Verified: signed ? `yes: ${signed}, with the secret as ${scheme?.key}` : 'no',
    Age: age === null ? 'unknown' : `${age} s`,
    Event: type ?? 'none',
    ID: id ?? 'none, so duplicates are recognized by their body',
    Fields: fields.join(', ') || 'none',
  };
  const lines = Object.entries(rows).map(([name, value]) => `${name.padEnd(10)}${value}`);
  return [...lines, '', ...notes].join('\n').concat('\n');
}
