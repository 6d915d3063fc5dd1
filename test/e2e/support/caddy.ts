import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import path from 'node:path';
import { parse } from 'yaml';
import { freePort } from '../../support/free-port.ts';
import { fromDebian } from './debian.ts';
import { root } from './paths.ts';
import { type Program, startProgram } from './program.ts';

export interface Caddy {
  readonly program: Program;
  /** With https, and a certificate that no client trusts by default. */
  readonly url: string;
  /** The certificate of its authority. */
  readonly authority: string;
  /** With this argument, Chromium trusts the authority. */
  readonly chromiumArgument: string;
}

/** Caddy as docs/relay-hosting configures it, with its internal authority. */
export async function startCaddy(folder: string, relayPort: number): Promise<Caddy> {
  const command = await fromDebian('caddy');
  const port = await freePort();
  const home = path.join(folder, 'caddy');
  mkdirSync(home);
  const file = path.join(home, 'Caddyfile');
  writeFileSync(file, `${settings(home)}${siteAt(port, relayPort)}`);
  const authorities = path.join(home, 'pki/authorities/local');
  const authorityFile = path.join(authorities, 'root.crt');
  const program = await startProgram({
    name: 'Caddy',
    command,
    args: ['run', '--config', file, '--adapter', 'caddyfile'],
    env: { ...process.env, XDG_CONFIG_HOME: home },
    log: path.join(folder, 'caddy.log'),
    ready: async () => existsSync(authorityFile) && (await responds(port, authorityFile)),
    readyWithinMs: 300_000,
  });
  // Caddy sends the intermediate one along, but not the root.
  const intermediate = new X509Certificate(
    readFileSync(path.join(authorities, 'intermediate.crt')),
  );
  const key = intermediate.publicKey.export({ type: 'spki', format: 'der' });
  const digest = createHash('sha256').update(key).digest('base64');
  return {
    program,
    url: `https://localhost:${port}`,
    authority: readFileSync(authorityFile, 'utf8'),
    chromiumArgument: `--ignore-certificate-errors-spki-list=${digest}`,
  };
}

const settings = (home: string) => `{
  admin off
  auto_https disable_redirects
  default_bind 127.0.0.1
  skip_install_trust
  storage file_system ${home}
}
`;

function siteAt(port: number, relayPort: number): string {
  const compose = parse(readFileSync(path.join(root, 'docs/relay-hosting/compose.yaml'), 'utf8'));
  let site: string = compose.configs.caddyfile.content;
  for (const [text, here] of [
    [`\${DOMAIN} {`, `localhost:${port} {\n  tls internal`],
    ['relay:8788', `127.0.0.1:${relayPort}`],
  ] as const) {
    if (!site.includes(text)) throw new Error(`The Caddyfile of the guide has no ${text}.`);
    site = site.replace(text, here);
  }
  return site;
}

function responds(port: number, authorityFile: string): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: 'localhost', port, ca: readFileSync(authorityFile) }, (response) => {
      response.resume();
      resolve(true);
    }).once('error', () => resolve(false));
  });
}
