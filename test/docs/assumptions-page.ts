import { type Assumption, assumptions } from '@screen-advertising/core/contract';

const head = `# What the specification leaves open

Where the specification leaves something open, this is what the connectors assume and what else they accept. If your service differs, report it. Each entry, with the reason, is in [\`shared/src/assumptions\`](../shared/src/assumptions), and \`npx -y pnpm@12 run docs\` updates this page. The [sandbox](sandbox.md) can play every variant, for example with \`--variant singleRecord=data\`.
`;

/** The guide that lists every assumption, as Markdown. */
export function assumptionsPage(): string {
  const entries: readonly (readonly [string, Assumption])[] = Object.entries(assumptions);
  return [head, ...entries.map(([name, assumption]) => section(name, assumption))].join('\n');
}

function section(
  name: string,
  { section, question, assumed, accepted, change }: Assumption,
): string {
  const [first, ...others] = accepted.map((variant) => `\`${variant}\``);
  const more = others.length > 0 ? `; also accepted: ${others.join(', ')}` : '';
  return `## ${name}

${question} (Section ${section})

- **Assumed:** ${assumed}
- **Variant:** ${first}${more}
- **If it differs:** ${change}
`;
}
