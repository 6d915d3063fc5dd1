import type { Assumption } from '@screen-advertising/core/contract';
import { aboutAccess } from '../../shared/src/assumptions/about-access.ts';
import { aboutCoupons } from '../../shared/src/assumptions/about-coupons.ts';
import { aboutDeliveries } from '../../shared/src/assumptions/about-deliveries.ts';
import { aboutRecords } from '../../shared/src/assumptions/about-records.ts';
import { aboutScreens } from '../../shared/src/assumptions/about-screens.ts';

type Topic = Readonly<Record<string, Assumption>>;

const topics: Readonly<Record<string, Topic>> = {
  'Records and lists': aboutRecords,
  Screens: aboutScreens,
  Coupons: aboutCoupons,
  'Webhook deliveries': aboutDeliveries,
  'Access, errors and limits': aboutAccess,
};

const head = `# What the specification leaves open

If your service differs, please report it. Section numbers are those of the specification. The [sandbox](sandbox.md) can play every variant, for example with \`--variant singleRecord=data\`. Add entries, with reasons, in [\`shared/src/assumptions\`](../shared/src/assumptions).
`;

/** The guide that lists every assumption, as Markdown. */
export function assumptionsPage(): string {
  return [head, ...Object.entries(topics).map(([title, topic]) => section(title, topic))].join(
    '\n',
  );
}

function section(title: string, topic: Topic): string {
  const rows = Object.entries(topic).map(([name, assumption]) => row(name, assumption));
  return `## ${title}

| Question | Assumed | Also accepted | If it differs |
|---|---|---|---|
${rows.join('\n')}
`;
}

function row(name: string, { section, question, assumed, accepted, change }: Assumption): string {
  const [, ...others] = accepted.map((variant) => `\`${variant}\``);
  // Other pages link to the name.
  const anchor = `<a name="${name.toLowerCase()}"></a>`;
  const first = `${anchor}**${name}** (${section})<br>${question}`;
  return `| ${first} | ${assumed} | ${others.join(', ')} | ${change} |`;
}
