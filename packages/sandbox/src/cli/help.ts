import { type AssumptionName, assumptions } from '@screen-advertising/core/contract';
import { defaultPort } from './arguments.ts';

/** Only assumptions that leave a choice. */
function variantLines(): string {
  return (Object.keys(assumptions) as AssumptionName[])
    .filter((name) => assumptions[name].accepted.length > 1)
    .map((name) => `  ${name.padEnd(22)}${assumptions[name].accepted.join(', ')}`)
    .join('\n');
}

export function helpText(): string {
  return `screen-advertising-sandbox: the partner interface of the Screen Advertising service,
on this machine, with made-up data.

Usage
  screen-advertising-sandbox [options]
  screen-advertising-sandbox openapi [--out FILE]

Options
  -p, --port PORT         Port to listen on, 0 for a free one (${defaultPort})
      --host ADDRESS      Address to listen on (127.0.0.1); with 0.0.0.0 other machines
                          and containers reach the sandbox
      --allow-host NAME   A further name that it answers to, such as that of a tunnel;
                          may be given several times
      --state FILE        Keep the state in this file, across restarts;
                          what is in it wins over --seed and --screens
      --seed NUMBER       Other made-up data; the same number gives the same data (1)
      --screens NUMBER    How many screens there are (320)
      --variant NAME=VALUE
                          What the service does where the contract leaves it open;
                          may be given several times, see below
      --rate-limit NUMBER Calls that each access may make in a minute (600)
      --latency MS        Let every call take this much longer
      --frozen            Start with a clock that stands still
  -h, --help              Show this

Commands
  openapi                 Write the OpenAPI 3.1 document, to FILE or to the output

Variants, the assumed one first
${variantLines()}
`;
}
