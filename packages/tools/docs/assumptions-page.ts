import type { Assumption } from '@screen-advertising/core/contract';
import { accessAssumptions } from '../../../shared/src/assumptions/about-access.ts';
import { deliveryAssumptions } from '../../../shared/src/assumptions/about-deliveries.ts';
import {
  couponAssumptions,
  recordAssumptions,
  screenAssumptions,
} from '../../../shared/src/assumptions/about-records.ts';

type Topic = Readonly<Record<string, Assumption>>;

const topics: Readonly<Record<string, Topic>> = {
  'Records and lists': recordAssumptions,
  Screens: screenAssumptions,
  Coupons: couponAssumptions,
  'Webhook deliveries': deliveryAssumptions,
  'Access, errors and limits': accessAssumptions,
};

const head = `# What the specification leaves open

Two commands find out [most of it](first-day.md): \`doctor\` and \`explain-delivery\`. The rest is for [the Screen Advertising team](#ask-the-screen-advertising-team). If your service differs, please report it. Section numbers are those of the specification. The [sandbox](sandbox.md) can play every variant, for example with \`--variant singleRecord=data\`. Add entries, with reasons, in [\`shared/src/assumptions\`](../shared/src/assumptions).
`;

/** The guide that lists every assumption, as Markdown. */
export function assumptionsPage(): string {
  const sections = Object.entries(topics).map(([title, topic]) => section(title, topic));
  return [head, ...sections, letter()].join('\n');
}

/** What only the service's team knows, to paste into a message. */
function letter(): string {
  const questions = Object.values(topics)
    .flatMap((topic) => Object.values(topic))
    .filter(({ answeredBy }) => answeredBy === 'team')
    .map(({ section, question }) => `${question} (${section})`);
  return `## Ask the Screen Advertising team

> We connect to your partner interface, whose specification leaves some questions open. The numbers are its sections. ${questions.join(' ')} What our connectors assume: ${page}
`;
}

const page = 'https://github.com/screen-advertising/connectors/blob/main/docs/assumptions.md';

function section(title: string, topic: Topic): string {
  const rows = Object.entries(topic).map(([name, assumption]) => row(name, assumption));
  return `## ${title}

| Question | Assumed | Also accepted | If it differs | Found out by |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

function row(name: string, assumption: Assumption): string {
  const { section, question, assumed, accepted, allAccepted, answeredBy, change } = assumption;
  const [, ...variants] = accepted.map((variant) => `\`${variant}\``);
  const others = [...(allAccepted ? ['Every likely variant'] : []), variants.join(', ')];
  const source = answeredBy === 'team' ? 'The team' : `\`${answeredBy}\``;
  // Other pages link to the name.
  const anchor = `<a name="${name.toLowerCase()}"></a>`;
  const first = `${anchor}**${name}** (${section})<br>${question}`;
  return `| ${first} | ${assumed} | ${others.filter(Boolean).join(': ')} | ${change} | ${source} |`;
}
