import { byHand, type Noted, type SubscriptionRow } from '../audit.ts';
import { type Findings, nameOf, publicId, sinceOf } from '../findings.ts';
import { type Delete, type Put, types, wants } from '../history.ts';

type Both = { readonly before: SubscriptionRow; readonly after: SubscriptionRow };

/** What a row may do in its life: whatever changed it, a request or response was the reason. */
export function rowsFound(findings: Findings): readonly string[] {
  return findings.places.flatMap((place) =>
    findings
      .changesOf(place)
      .filter(({ process }) => process !== byHand)
      .flatMap((change) => {
        const number = (change.after ?? change.before)?.generation;
        return wrongIn(findings, change).map(
          (text) => `${nameOf(place)}, generation ${number}: ${text}`,
        );
      }),
  );
}

function wrongIn(findings: Findings, { before, after }: Noted<SubscriptionRow>): string[] {
  if (!before) {
    const isFirst = after?.generation === 1;
    return after && isFirst
      ? wrongStart(findings, after, [])
      : ['it began with another generation'];
  }
  if (!after) return before.state === 'off' ? [] : ['an active one was pruned'];
  const both = { before, after };
  const found: string[] = [];
  if (after.position < before.position) found.push(`its position fell from ${before.position}`);
  const answered = after.generation - before.generation;
  if (answered === 0) {
    if (`${after.events} ${after.since}` !== `${before.events} ${before.since}`) {
      found.push('what it wants changed without a PUT');
    }
  } else if (answered !== 1) {
    found.push(`it came after generation ${before.generation}`);
  } else {
    found.push(...wrongSince(both), ...wrongStart(findings, after, before.events));
  }
  return found;
}

/** A type that was wanted before keeps its since, unless it is passed. */
function wrongSince({ before, after }: Both): string[] {
  const reached = Math.min(before.skipped_from ?? before.position, before.position);
  return types.flatMap((type) => {
    if (!wants(before.events, type) || !wants(after.events, type)) return [];
    const [was, is] = [sinceOf(before, type), sinceOf(after, type)];
    return is === was || (is <= reached && was <= reached)
      ? []
      : [`${type} is wanted since ${is}, not ${was}`];
  });
}

/** A type that was not wanted before is wanted from the PUT on. */
function wrongStart(
  findings: Findings,
  { id, generation, ...row }: SubscriptionRow,
  before: readonly string[],
): string[] {
  const { history } = findings;
  const put = history.puts.find((one) => one.id === publicId(id) && one.generation === generation);
  const added = types.filter((type) => wants(row.events, type) && !wants(before, type));
  return added.flatMap((type) => {
    const since = sinceOf(row, type);
    const isEarly = history.events.some(
      ({ number, answeredAt }) =>
        put && answeredAt < put.sentAt && findings.positionOf(number) > since,
    );
    const isLate = history.events.some(
      ({ number, sentAt }) =>
        put && sentAt > put.answeredAt && findings.positionOf(number) <= since,
    );
    return [
      ...(isEarly ? [`${type} is wanted since ${since}, before its PUT`] : []),
      ...(isLate ? [`${type} is wanted since ${since}, after its PUT`] : []),
    ];
  });
}

/** What had a response was carried out before it, whole. */
export function requestsFound(findings: Findings): readonly string[] {
  const { puts, deletes } = findings.history;
  const isAnswered = ({ answeredAt }: Put | Delete) => Number.isFinite(answeredAt);
  const failed = [
    ...puts.filter((put) => isAnswered(put) && !wasPut(findings, put)),
    ...deletes.filter((one) => isAnswered(one) && !wasDeleted(findings, one)),
  ];
  return failed.map((asked) => `${nameOf(asked)}: ${JSON.stringify(asked)} had no effect`);
}

function wasPut(
  findings: Findings,
  { id, generation, events, answeredAt, ...place }: Put,
): boolean {
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
function wasDeleted(findings: Findings, { id, generation, answeredAt, ...place }: Delete): boolean {
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

/** A process takes what another one has only once that one's time is over. */
export function leasesFound({ audit }: Findings): readonly string[] {
  const taken = audit.leases.filter(
    ({ before, after, process, at }) =>
      process !== byHand &&
      before?.owner &&
      after?.owner &&
      before.owner !== after.owner &&
      Date.parse(before.leased_until ?? '') > at,
  );
  return taken.map(
    ({ before }) =>
      `the lease of row ${before?.subscription_number} was taken while another process had it`,
  );
}
