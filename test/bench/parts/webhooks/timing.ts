import { verifySignature, WebhookVerificationError } from '@screen-advertising/core';
import type { Delivery } from './delivery.ts';

/** How far apart the times of two wrong signatures lie. */
export interface TimingDifference {
  /** Welch's t, without its sign: what is below 4.5 is noise by the usual rule of such tests. */
  readonly t: number;
  /** Nanoseconds by which the one that is wrong at its end takes longer. */
  readonly ns: number;
}

const callsOfASample = 25;
/** The slowest samples measure the machine rather than the check. */
const keptShare = 0.8;

/** Checks a signature that is wrong in its first digit and one that is in its last, by turns. */
export function timingOfMismatches(delivery: Delivery, samples: number): TimingDifference {
  const [digits = ''] = delivery.headers.ours.match(/[0-9a-f]{64}$/) ?? [];
  const start = delivery.headers.ours.slice(0, -digits.length);
  const early = Buffer.from(`${start}${other(digits.slice(0, 1))}${digits.slice(1)}`);
  const late = Buffer.from(`${start}${digits.slice(0, -1)}${other(digits.slice(-1))}`);
  // A new string for each sample: its place in memory can cost a few nanoseconds.
  const sampleOf = (header: Buffer) => timeOf(checkOf(delivery, header.toString()));
  const times = { early: [] as number[], late: [] as number[] };
  for (let sample = -samples / 4; sample < samples; sample += 1) {
    // The order is random, so no periodic load on the machine favors either of them.
    const isEarlyFirst = Math.random() < 0.5;
    const first = sampleOf(isEarlyFirst ? early : late);
    const second = sampleOf(isEarlyFirst ? late : early);
    if (sample < 0) continue;
    times.early.push(isEarlyFirst ? first : second);
    times.late.push(isEarlyFirst ? second : first);
  }
  return welch(momentsOf(fastest(times.early)), momentsOf(fastest(times.late)));
}

function checkOf({ body, secret }: Delivery, signature: string): () => void {
  const secrets = [secret];
  return () => {
    try {
      verifySignature({ body, signature, secrets });
    } catch (error) {
      if (WebhookVerificationError.isInstance(error)) return;
      throw error;
    }
    throw new Error('A wrong signature was accepted.');
  };
}

function other(digit: string): string {
  return digit === '0' ? '1' : '0';
}

/** Nanoseconds of one call. */
function timeOf(check: () => void): number {
  const startedAt = process.hrtime.bigint();
  for (let call = 0; call < callsOfASample; call += 1) check();
  return Number(process.hrtime.bigint() - startedAt) / callsOfASample;
}

function fastest(times: readonly number[]): number[] {
  return times.toSorted((a, b) => a - b).slice(0, Math.ceil(times.length * keptShare));
}

interface Moments {
  readonly mean: number;
  /** Variance of the mean. */
  readonly variance: number;
}

function momentsOf(times: readonly number[]): Moments {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const squares = times.reduce((sum, time) => sum + (time - mean) ** 2, 0);
  return { mean, variance: squares / (times.length - 1) / times.length };
}

function welch(early: Moments, late: Moments): TimingDifference {
  const ns = late.mean - early.mean;
  return { t: Math.abs(ns) / Math.sqrt(early.variance + late.variance), ns };
}
