import { type AssumptionName, assumptions } from '@screen-advertising/core/contract';
import { defaultPort } from './arguments.ts';

/** Only assumptions with more than one option. */
function variantLines(): string {
  return (Object.keys(assumptions) as AssumptionName[])
    .filter((name) => assumptions[name].accepted.length > 1)
    .map((name) => `  ${name.padEnd(22)}${wrapped(assumptions[name].accepted.join(', '))}`)
    .join('\n');
}

function wrapped(text: string): string {
  return (text.match(/\S.{0,61}(,|$)/g) ?? []).join(`\n${' '.repeat(24)}`);
}

export function helpText(): string {
  return `screen-advertising-sandbox: the partner interface of the Screen Advertising service,
on this machine, with made-up data.

Usage
  screen-advertising-sandbox [options]
  screen-advertising-sandbox fire EVENT [--data JSON] [--access ID] [--port PORT]
  screen-advertising-sandbox openapi [--out FILE]

Options
  -p, --port PORT         Port to listen on, 0 for a free one (${defaultPort})
      --host ADDRESS      Address to listen on (127.0.0.1); use 0.0.0.0 to let other
                          machines and containers reach the sandbox
      --allow-host NAME   Also respond to this host name, such as that of a tunnel;
                          repeatable
      --state FILE        Keep the state in this file across restarts;
                          an existing file overrides --seed and --screens
      --seed NUMBER       Seed of the made-up data; the same seed, the same data (1)
      --screens NUMBER    Number of screens (320)
      --variant NAME=VALUE
                          How the service behaves where its specification is open;
                          repeatable, see below
      --rate-limit NUMBER Requests that each access can make per minute (600)
      --latency MS        Delay every response by this many milliseconds
      --frozen            Start with a frozen clock
  -h, --help              Show this help

Commands
  fire                    Fire an event, such as campaign.paid, in the sandbox that runs
                          on this port; --data adds to its fields, such as
                          '{"amount_cents": 5000}'
  openapi                 Write the OpenAPI 3.1 document to FILE or to the output

Variants (the first one is the default; signatureScheme may join an algorithm, a signed
content and a key with commas: sha512,body,hex)
${variantLines()}
`;
}
