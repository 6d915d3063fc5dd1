import { type Delete, type Put, wants } from '../history.ts';
import { types } from '../scene.ts';
import { type Findings, nameOf, publicId } from './findings.ts';

/** What had a response was carried out before it, whole. */
export function requestsFound(findings: Findings): readonly string[] {
  const { puts, deletes } = findings.history;
  const isAnswered = ({ answeredAt }: Put | Delete) => Number.isFinite(answeredAt);
  const failed = [
    ...puts.filter((put) => isAnswered(put) && !isPut(findings, put)),
    ...deletes.filter((one) => isAnswered(one) && !isDeleted(findings, one)),
  ];
  return failed.map((asked) => `${nameOf(asked)}: ${JSON.stringify(asked)} had no effect`);
}

function isPut(findings: Findings, { id, generation, events, answeredAt, ...place }: Put): boolean {
  return findings
    .changesOf(place)
    .some(
      ({ before, after, at }) =>
        after !== null &&
        publicId(after.id) === id &&
        after.generation === generation &&
        before?.generation !== generation &&
        at <= answeredAt + 1 &&
        types.every((type) => wants(after.events, type) === wants(events, type)),
    );
}

/** Whether it is off, was subscribed again, or is gone. */
function isDeleted(findings: Findings, { id, generation, answeredAt, ...place }: Delete): boolean {
  return findings
    .changesOf(place)
    .some(
      ({ before, after, at }) =>
        publicId((after ?? before)?.id ?? '') === id &&
        at <= answeredAt + 1 &&
        (after === null ||
          after.generation > generation ||
          (after.generation === generation && after.off_reason === 'unsubscribed')),
    );
}
