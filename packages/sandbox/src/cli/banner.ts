import { isLoopbackHost } from '@screen-advertising/server-kit';
import { credentialsOf, type PartnerAccess } from '../accesses/access.ts';
import type { Sandbox } from '../sandbox.ts';
import { defaultPort } from './program.ts';

interface Served {
  readonly url: string;
  readonly baseUrl: string;
  /** The host that it listens on. */
  readonly host: string;
  readonly allowAdmin?: boolean | undefined;
}

/** How a clone or an installed package starts a program. */
const command = import.meta.url.endsWith('.ts')
  ? 'npx -y pnpm@12 run '
  : 'npx @screen-advertising/';

/** What a new user needs for a first request and a first event. */
export function banner(
  { accesses }: Sandbox,
  { url, baseUrl, host, allowAdmin = false }: Served,
): string {
  return `Screen Advertising sandbox
Base URL  ${baseUrl}
Page      ${url}
${isLoopbackHost(host) ? '' : exposure(host, baseUrl, allowAdmin)}
Demo credentials, valid only in this sandbox:
${accesses.map(accessLines).join('\n\n')}

Try a request:
  curl -H 'Authorization: Bearer ${accesses[0].apiKey}' '${baseUrl}/screens?limit=1'

The same request on the command line:
  export SCREEN_ADVERTISING_BASE_URL=${baseUrl}
  export SCREEN_ADVERTISING_API_KEY=${accesses[0].apiKey}
  ${command}cli call screen.list --city Berlin --table

Register a webhook address, then fire an event:
  curl -H 'Content-Type: application/json' -d '{"url": "http://127.0.0.1:9000/"}' ${url}/_sandbox/webhooks
  ${command}sandbox fire campaign_request.rejected${portOption(url)}

Stop with Ctrl-C.
`;
}

function portOption(url: string): string {
  const { port } = new URL(url);
  return port === String(defaultPort) ? '' : ` --port ${port}`;
}

/** Warns if other machines can reach the sandbox. */
function exposure(host: string, baseUrl: string, allowAdmin: boolean): string {
  const { port, pathname } = new URL(baseUrl);
  return `
Other machines can reach this sandbox: it listens on ${host}, and its credentials are public.
The page and /_sandbox respond to ${allowAdmin ? 'the name localhost' : 'this machine'} only.
From a container on this machine  http://host.docker.internal:${port}${pathname}
`;
}

function accessLines(access: PartnerAccess): string {
  const lines = credentialsOf(access).map(([name, value]) => `    ${name.padEnd(16)}${value}`);
  return [`  ${access.id}: ${access.name}`, ...lines].join('\n');
}
