import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { killPrograms, launch, type Program, run } from '../../support/launch.ts';
import { root } from '../support/machine.ts';
import { withoutWorkspace } from '../support/n8n-server.ts';

/** A new clone of the last commit, and terminals in it. */
export class Clone {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #typed: Program[] = [];

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#env = env;
  }

  static async make(): Promise<Clone> {
    const folder = await mkdtemp(path.join(tmpdir(), 'newcomer-'));
    // The relay's PostgreSQL runs as another user than root, who must be able to enter.
    await chmod(folder, 0o755);
    await run('git', ['clone', '--quiet', root, path.join(folder, 'clone')]);
    return new Clone(folder, {
      ...asInstalled(),
      RELAY_DATA_DIR: path.join(folder, 'relay'),
      // Other programs may listen at the guides' ports.
      PORT: String(await freePort()),
      SANDBOX_PORT: String(await freePort()),
      N8N_PORT: String(await freePort()),
    });
  }

  get sandboxPort(): string {
    return String(this.#env.SANDBOX_PORT);
  }

  get n8nPort(): number {
    return Number(this.#env.N8N_PORT);
  }

  /** Types a command into a new terminal. */
  type(command: string): Program {
    const cwd = path.join(this.#folder, 'clone');
    const program = launch('sh', ['-c', command], { cwd, env: this.#env });
    this.#typed.push(program);
    return program;
  }

  /** Presses Ctrl-C in each terminal: a server with a separate process group would outlive a kill. */
  async remove(): Promise<void> {
    const timer = setTimeout(killPrograms, 60_000);
    for (const program of this.#typed) if (program.isRunning) program.signal('SIGINT');
    await Promise.all(this.#typed.map(({ ended }) => ended));
    clearTimeout(timer);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** The environment of a new terminal: with the machine's Node.js, not the one of this project. */
function asInstalled(): NodeJS.ProcessEnv {
  const { PATH = '', ...others } = withoutWorkspace();
  const folders = PATH.split(path.delimiter).filter((folder) => !/node_modules|pnpm/.test(folder));
  return { ...others, PATH: folders.join(path.delimiter) };
}
