import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { childEnvironment } from '../child-environment.ts';
import { RelayError } from '../relay-error.ts';

export interface SandboxProcess {
  readonly url: string;
  readonly signingSecret: string;
  /** Has every event delivered to this address. */
  register(ingress: string): Promise<void>;
  stop(): Promise<void>;
}

interface Accesses {
  readonly data: readonly { readonly id: string; readonly signingSecret: string }[];
}

/** The access whose events it delivers. */
const access = 'full';

/** Runs the sandbox in a separate process, because the relay does not depend on it. */
export async function startSandbox(
  port: number,
  program = sandboxProgram(),
): Promise<SandboxProcess> {
  // In a clone, Node runs the sources directly.
  const flags = program.endsWith('.ts') ? ['--conditions=source', '--no-warnings'] : [];
  const child = spawn(process.execPath, [...flags, program, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: childEnvironment(),
  });
  const url = await printedUrl(child, port);
  const { data } = (await ask(`${url}/_sandbox/accesses`)) as Accesses;
  return {
    url,
    signingSecret: data.find(({ id }) => id === access)?.signingSecret ?? '',
    async register(ingress) {
      await ask(`${url}/_sandbox/webhooks`, { url: ingress, access });
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function sandboxProgram(): string {
  try {
    const entry = createRequire(import.meta.url).resolve('@screen-advertising/sandbox');
    return join(dirname(entry), 'cli', `main${extname(entry)}`);
  } catch (cause) {
    throw new RelayError(
      'configuration',
      'The sandbox is not installed. Install it with: npm install @screen-advertising/sandbox',
      { cause },
    );
  }
}

function printedUrl(child: ChildProcess, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      printed += text;
      const [, url] = /^Page +(\S+)\n/m.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('error', reject);
    child.once('exit', () => {
      reject(
        new RelayError(
          'configuration',
          `The sandbox did not start on port ${port}. Set SANDBOX_PORT to another, or to 0 for a free one.`,
        ),
      );
    });
  });
}

async function ask(url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  if (response.ok) return response.json();
  throw new RelayError('configuration', `The sandbox responded to ${url} with ${response.status}.`);
}
