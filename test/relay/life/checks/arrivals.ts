import type { JobRow, Noted } from '../audit.ts';
import type { Arrival, Place } from '../history.ts';
import { wants } from '../history.ts';
import { duplicatesFound } from './duplicates.ts';
import { type Findings, nameOf, noticeMs, sinceOf, versionsOf } from './findings.ts';

export interface Attempted extends Place {
  readonly arrival: Arrival;
  readonly type: string;
  readonly event: number;
  readonly position: number;
}

/** Every attempt is of an event that its row wants, or that a job covers, while the row is on. */
export function arrivalsFound(findings: Findings) {
  const attempted: Attempted[] = [];
  const violations: string[] = [];
  let inherited = 0;
  for (const arrival of findings.history.arrivals) {
    const place = findings.placeOf(arrival);
    const { type, data } = JSON.parse(arrival.body);
    if (!place) {
      violations.push(`event ${data.number} was signed with no key of the model`);
      continue;
    }
    const event: number = data.number;
    const one = { ...place, arrival, type, event, position: findings.positionOf(event) };
    attempted.push(one);
    const why = coverOf(findings, one);
    if (why === 'a job') inherited += 1;
    if (why === undefined) {
      violations.push(`${nameOf(place)}: event ${event} (${type}) was attempted, and not wanted`);
    }
  }
  const duplicates = duplicatesFound(findings, attempted);
  return {
    figures: {
      attempts: attempted.length,
      accepted: attempted.filter(({ arrival }) => arrival.status === 200).length,
      inherited,
      ...duplicates.figures,
    },
    violations: [...violations, ...duplicates.violations],
  };
}

function coverOf(findings: Findings, one: Attempted): 'its position' | 'a job' | undefined {
  const versions = desiredIn(findings, one).filter(
    ({ row, from, until }) =>
      row.state === 'active' &&
      from <= one.arrival.at + 1 &&
      one.arrival.at <= noticedAt(findings, until),
  );
  if (versions.some(({ isDesired }) => isDesired)) return 'its position';
  const isAsked = versions.some(({ row }) =>
    findings.audit.jobs.some(
      (job) =>
        job.before === null &&
        job.after?.subscription_number === row.number &&
        job.at <= one.arrival.at + 1 &&
        isOfJob(findings, job, one),
    ),
  );
  return isAsked ? 'a job' : undefined;
}

/** An event that came after its type's since stays wanted until its type is given up. */
function desiredIn(findings: Findings, { type, position, ...place }: Attempted) {
  let known: number | undefined;
  let isDesired = false;
  return versionsOf(findings.changesOf(place)).map((version) => {
    const { row } = version;
    const isSame = isDesired && known === row.number && wants(row.events, type);
    isDesired = isSame || position > sinceOf(row, type);
    known = row.number;
    return { ...version, isDesired };
  });
}

/** A process that is paused notices a change later. */
function noticedAt({ history }: Findings, changedAt: number): number {
  const paused = history.absences.filter(
    ({ kind, from, until }) =>
      kind === 'paused' && from < changedAt + noticeMs && until > changedAt,
  );
  return Math.max(changedAt, ...paused.map(({ until }) => until)) + noticeMs;
}

function isOfJob({ audit }: Findings, { after: job }: Noted<JobRow>, one: Attempted): boolean {
  if (!job || one.position <= job.position || one.position > job.until) return false;
  const isRead = wants(job.events, one.type) && one.position > sinceOf(job, one.type);
  const isDelivery = audit.deliveries.some(
    ({ after }) => after?.subscription_number === job.of_number && after.position === one.position,
  );
  if (job.kind === 'missing') return isRead;
  if (job.kind === 'of') return isRead || (isDelivery && wants(job.events, one.type));
  return isDelivery;
}
