import { commandLine, isInImage } from '../../command-line.ts';

export interface Served {
  /** Where other machines reach the relay. */
  readonly url: string;
  readonly sources: readonly { readonly name: string; readonly awaits_secret: boolean }[];
  /** The operator's page, signed in unless it runs in a container. */
  readonly page: string;
  /** Where its own PostgreSQL keeps its data. */
  readonly dataDir: string | undefined;
  readonly connectorKey: string | undefined;
  readonly sandbox: string | undefined;
}

/** What a first-time user needs. Later starts print addresses, and what is still to do. */
export function banner(served: Served): string {
  const { url, sources, connectorKey, sandbox } = served;
  const source = sources[0]?.name ?? 'main';
  const unregistered = sources.find(({ awaits_secret }) => awaits_secret);
  const places: readonly (readonly [name: string, place: string | undefined])[] = [
    ['API', `${url}/api/v1`],
    ['Page', served.page],
    ...sources.map(({ name }) => ['Ingress', `${url}/in/${name}`] as const),
    ['Sandbox', sandbox],
    ['Data', served.dataDir],
  ];
  const lines = places.flatMap(([name, place]) =>
    place === undefined ? [] : [`${name.padEnd(9)}${place}\n`],
  );
  const paragraphs = [
    connectorKey !== undefined && firstKey(connectorKey, url),
    unregistered && registration(unregistered.name),
    sandbox !== undefined && trial(sandbox, source),
    isInImage && `Print a link that signs in to the page:\n  ${commandLine} sign-in\n`,
    `Create ${isInImage ? 'a' : 'another'} connector key:\n  ${commandLine} tokens create ${source} NAME\n`,
    !isInImage && 'Stop with Ctrl-C.\n',
  ].filter(Boolean);
  return `Screen Advertising relay
${lines.join('')}
${paragraphs.join('\n')}`;
}

function firstKey(key: string, url: string): string {
  return `Connector key (shown only once). Paste it into a connector with the address ${url}:
  ${key}
`;
}

function registration(source: string): string {
  return `Not registered yet? Send the ingress address to the Screen Advertising team, and add the signing
secret from their reply. Until then, the relay rejects deliveries:
  ${commandLine} sources rotate ${source} < secret.txt
`;
}

function trial(sandbox: string, source: string): string {
  const command = commandLine.replace(/relay$/, 'sandbox');
  const { port } = new URL(sandbox);
  return `The sandbox delivers to the source "${source}". Fire an event on its page, ${sandbox},
or with:
  ${command} fire campaign_request.rejected${port === '8787' ? '' : ` --port ${port}`}
`;
}
