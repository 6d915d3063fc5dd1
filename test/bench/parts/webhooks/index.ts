import { inRounds, ratiosTo, timeOf } from '../../lib/rounds.ts';
import { atMost, type Goal, type Part } from '../../lib/section.ts';
import { digits, exactly, type Spread, showSpread, spreadOf } from '../../lib/spread.ts';
import { deliveryOf } from './delivery.ts';
import { slowestHostileHeader } from './hostile-headers.ts';
import { timingOfMismatches } from './timing.ts';
import { limit, limitWithParse, ours, oursWithParse, readersOf, verifiersOf } from './verifiers.ts';

/** `reading` is less than stripe takes. */
const sizes = [
  { label: '0.5 KB', bytes: 512, bound: 1.4, reading: 1.35 },
  { label: '5 KB', bytes: 5 * 1024, bound: 1.25, reading: 1.15 },
  { label: '100 KB', bytes: 100 * 1024, bound: 1.05, reading: 1.1 },
];

const part: Part = async ({ isShort }) => {
  const verified: Record<string, Spread>[] = [];
  const read: Record<string, Spread>[] = [];
  const goals: Goal[] = [];
  for (const { label, bytes, bound, reading } of sizes) {
    const delivery = await deliveryOf(bytes);
    // With three, the smallest deliveries measure how long V8 takes to compile the checks.
    const rounds = isShort ? 11 : 21;
    const bySignature = await timesOf(verifiersOf(delivery), rounds);
    const byReading = await timesOf(readersOf(delivery), rounds);
    const ratios = ratiosTo(limit, bySignature);
    verified.push(ratios);
    read.push(ratiosTo(limitWithParse, byReading));
    goals.push(
      atMost(`${label}: verifySignature to ${limit}`, ratios[ours], bound),
      atMost(`${label}: verifyWebhook to ${limitWithParse}`, read.at(-1)?.[oursWithParse], reading),
      ...aheadOf(label, ours, limit, bySignature),
      ...aheadOf(label, oursWithParse, limitWithParse, byReading),
    );
  }
  const timing = timingOfMismatches(await deliveryOf(512), isShort ? 1000 : 10_000);
  const hostile: number[] = [];
  for (let round = 0; round < (isShort ? 3 : 9); round += 1) {
    hostile.push(await slowestHostileHeader());
  }
  goals.push(
    atMost('slowest hostile header to an honest check', spreadOf(hostile), 5),
    atMost("mismatch early or late: Welch's t", exactly(timing.t), 4.5),
  );
  return {
    title: 'Webhook verification',
    intro:
      "Time to check a valid delivery. 1 is the minimum: an HMAC and a comparison, in the second table plus `JSON.parse`. octokit and bolt take decoded text; octokit signs no time. The third table compares signatures with a wrong first and last digit, since timing must not show a forger how much fits. Below 4.5, Welch's t is noise.",
    tables: [
      tableOf(verified),
      tableOf(read),
      {
        head: [
          'a mismatch at the end, to one at the start',
          "Welch's t",
          'nanoseconds longer here',
        ],
        rows: [['verifySignature', digits(timing.t), digits(timing.ns)]],
      },
    ],
    goals,
  };
};

export default part;

async function timesOf(work: Record<string, () => unknown>, rounds: number) {
  const contestants = Object.entries(work).map(([name, run]) => [name, () => timeOf(run)]);
  return inRounds<number>(Object.fromEntries(contestants), rounds);
}

function aheadOf(
  label: string,
  own: string,
  reference: string,
  times: Record<string, number[]>,
): Goal[] {
  const peers = Object.keys(times).filter((name) => name !== own && name !== reference);
  return peers.map((peer) => atMost(`${label}: ${own} to ${peer}`, ratiosTo(peer, times)[own], 1));
}

function tableOf(bySize: readonly Record<string, Spread>[]) {
  return {
    head: ['', ...sizes.map(({ label }) => label)],
    rows: Object.keys(bySize[0] ?? {}).map((name) => [
      name,
      ...bySize.map((ratios) => showSpread(ratios[name])),
    ]),
  };
}
