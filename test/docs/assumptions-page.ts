import { type Assumption, assumptions } from '@screen-advertising/core/contract';

const head = `# What the specification leaves open

The specification of the partner interface says of some things that they are not shown. For each of them stands here what is assumed, why, what is understood besides, and where you can change it. When the service turns out to do something else that is not understood, tell us: it is one entry in [\`shared/src/assumptions\`](../shared/src/assumptions), from which this page is made by \`npx -y pnpm@12 run docs\`.

The [sandbox](sandbox.md) can be switched to each alternative, such as with \`--variant singleRecord=data\`.
`;

/** The guide that lists every assumption, as Markdown. */
export function assumptionsPage(): string {
  const entries: readonly (readonly [string, Assumption])[] = Object.entries(assumptions);
  return [head, ...entries.map(([name, assumption]) => section(name, assumption))].join('\n');
}

function section(
  name: string,
  { section, question, assumed, why, accepted, change }: Assumption,
): string {
  const [first, ...others] = accepted.map((variant) => `\`${variant}\``);
  const besides = others.length > 0 ? `; also understood: ${others.join(', ')}` : '';
  return `## ${name}

${question} (Section ${section})

- **Assumed:** ${assumed}
- **Why:** ${why}
- **Variant:** ${first}${besides}
- **If it differs:** ${change}
`;
}
