import { type Assumption, assumptions } from '@screen-advertising/core/contract';
import type { Examination, Result } from './examine.ts';

/** In the order in which a reader wants them. */
const labels = {
  differs: 'DIFFERS',
  accepted: 'accepted',
  as_assumed: 'as assumed',
  not_seen: 'not seen',
} as const;

/** The report as text for one screen, with a paragraph for the service's team. */
export function report(
  baseUrl: string,
  { checks, requests }: Examination,
  writes: boolean,
): string {
  const changes = writes
    ? 'which created and revoked a coupon, and created a landing link'
    : 'which changed nothing';
  const lines = [`${baseUrl}: ${requests} requests, ${changes}.`, ''];
  for (const [state, label] of Object.entries(labels)) {
    const results = checks.filter((result) => result.state === state);
    const rows = state === 'not_seen' ? grouped(results) : results.map(row);
    lines.push(...rows.map((text) => `${label.padEnd(12)}${text}`));
  }
  lines.push('', 'For the Screen Advertising team:', '', letter(baseUrl, checks), '');
  return lines.join('\n');
}

/** What was seen, and what it changes. */
function row({ id, state, found, action }: Result): string {
  // The first sentence is about the other variants.
  const [change] = assumptions[id].change.split(/(?<=\.) /);
  return [`${id}: ${found}.`, action ?? (state === 'accepted' && change)].filter(Boolean).join(' ');
}

/** Questions without a finding, by the reason. */
function grouped(results: readonly Result[]): string[] {
  const reasons = new Map<string, string[]>();
  for (const { id, found } of results) reasons.set(found, [...(reasons.get(found) ?? []), id]);
  return [...reasons].map(([found, ids]) => `${ids.join(', ')}: ${found}.`);
}

function letter(baseUrl: string, checks: readonly Result[]): string {
  const different = checks
    .filter(({ state }) => state === 'differs')
    .map(({ section, found }) => `${found} (section ${section}).`);
  const checked = `We checked the partner interface at ${baseUrl}.`;
  if (different.length > 0) {
    return `${checked} Some of it differs from what our connectors expect, as ${page} describes. ${different.join(' ')}`;
  }
  const open = Object.values<Assumption>(assumptions)
    .filter(({ answeredBy, allAccepted }) => answeredBy === 'team' && !allAccepted)
    .map(({ section, question }) => `${question} (${section})`);
  return `${checked} It works as we expect where we could see it. Some of your specification we cannot see from outside: ${open.join(' ')}`;
}

const page = 'https://github.com/screen-advertising/connectors/blob/main/docs/assumptions.md';
