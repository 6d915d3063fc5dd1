import { type ChildProcess, spawn } from 'node:child_process';

interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly withinMs?: number;
}

const running = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of running) child.kill();
});

/** Runs a command to its end and gives what it printed; a failure shows that in its message. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env, user, withinMs = 600_000 }: CommandOptions = {},
): Promise<string> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: withinMs,
    ...(cwd !== undefined && { cwd }),
    ...(env && { env }),
    ...(user && { uid: user.uid, gid: user.gid }),
  });
  running.add(child);
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => printed.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => running.delete(child));
  const text = Buffer.concat(printed).toString('utf8');
  if (code === 0) return text;
  const how = code === null ? `was ended after ${withinMs / 1000} s` : `ended with code ${code}`;
  throw new Error(`${command} ${args.join(' ')} ${how}:\n${text.slice(-4000)}`);
}
