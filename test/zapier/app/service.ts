import { createSandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import {
  type Credentials,
  createZapierRunner,
  type RunnerOptions,
  type ZapierRunner,
} from './runner.ts';

export type CredentialKind = 'API key' | 'client credentials';

export const credentialKinds: readonly CredentialKind[] = ['API key', 'client credentials'];

export interface ConnectOptions extends Partial<RunnerOptions> {
  readonly kind?: CredentialKind;
  /** ID of the access; default: the one with every scope. */
  readonly access?: string;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** A sandbox on loopback, and connections to it. The test closes it. */
export async function startService(options: SandboxOptions = {}) {
  const sandbox = createSandbox(options);
  const { baseUrl } = await sandbox.listen();

  const credentialsOf = (kind: CredentialKind, id: string): Credentials => {
    const access = sandbox.accesses.find((candidate) => candidate.id === id);
    if (!access) throw new Error(`The sandbox has no access ${id}.`);
    const { apiKey, clientId, clientSecret } = access;
    return kind === 'API key' ? { apiKey } : { clientId, clientSecret };
  };

  return {
    sandbox,
    baseUrl,
    close: () => sandbox.close(),
    /** A connection with a started session. */
    async connect(options: ConnectOptions = {}): Promise<ZapierRunner> {
      const { kind = 'API key', access = 'full', ...rest } = options;
      const credentials = credentialsOf(kind, access);
      const runner = createZapierRunner({ baseUrl, credentials, ...rest });
      await runner.connect();
      return runner;
    },
    credentialsOf,
    /** The requests since the journal was cleared, such as `GET /screens 200`. */
    calls(): string[] {
      return sandbox.journal
        .list()
        .map(({ method, path, status }) => `${method} ${path.replace(/^\/api\/v1/, '')} ${status}`);
    },
  };
}
