/**
 * Loaded into n8n before n8n itself: its clock shows the time that a test says, and its schedules run
 * when the test moves the clock past them, and at no other time. A request to `/<time>` moves it.
 */
import { createServer } from 'node:http';
import Module from 'node:module';

const { MOVED_CLOCK_PORT, MOVED_CLOCK_STARTS_AT } = process.env;

/** It runs on only for so long after each move: what a test then asks of n8n may take any time. */
const maxAheadMs = 5_000;

// Other modules replace it.
const { now: realNow } = Date;
let moved = { to: Number(MOVED_CLOCK_STARTS_AT), at: realNow() };
const now = () => moved.to + Math.min(realNow() - moved.at, maxAheadMs);
const moveTo = (time: number) => {
  moved = { to: time, at: realNow() };
};

globalThis.Date = new Proxy(Date, {
  construct: (target, given, type) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, type),
  apply: (target) => new target(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

/** A schedule of the package `cron`, which n8n uses. */
interface Job {
  readonly cronTime: { sendAt(): { toMillis(): number } };
  fireOnTick(): Promise<void>;
}

const dueAt = new Map<Job, number>();
const plan = (job: Job) => dueAt.set(job, job.cronTime.sendAt().toMillis());

/** Each schedule that is due runs once, however far the clock moves. */
function runPast(time: number): void {
  const due = [...dueAt].filter(([, at]) => at <= time).sort(([, a], [, b]) => a - b);
  for (const [job, at] of due) {
    moveTo(at);
    void job.fireOnTick();
  }
  moveTo(time);
  for (const [job] of due) plan(job);
}

const loader = Module as unknown as { _load(name: string, ...rest: unknown[]): unknown };
const load = loader._load;
loader._load = function (name, ...rest) {
  const loaded = load.call(this, name, ...rest);
  if (name === 'cron') {
    const { CronJob } = loaded as { CronJob: { prototype: object } };
    Object.assign(CronJob.prototype, {
      start(this: Job) {
        plan(this);
      },
      stop(this: Job) {
        dueAt.delete(this);
      },
    });
  }
  return loaded;
};

createServer(({ url = '' }, response) => {
  runPast(Number(url.slice(1)));
  response.end();
}).listen(Number(MOVED_CLOCK_PORT), '127.0.0.1');
