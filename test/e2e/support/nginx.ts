import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { fromDebian } from './debian.ts';
import { root } from './paths.ts';
import { type Server, startServer } from './program.ts';

export interface Nginx {
  readonly program: Server;
  readonly url: string;
}

/** nginx as the guide configures it, with the hosts of the guide replaced by addresses here. */
export async function startNginx(
  folder: string,
  hosts: Readonly<Record<string, string>>,
): Promise<Nginx> {
  const command = await fromDebian('nginx-light');
  const port = await freePort();
  const home = path.join(folder, 'nginx');
  mkdirSync(home);
  let site = readFileSync(path.join(root, 'docs/n8n-cluster/nginx.conf'), 'utf8');
  for (const [host, address] of Object.entries({
    'listen 80': `listen 127.0.0.1:${port}`,
    ...hosts,
  })) {
    if (!site.includes(host)) throw new Error(`docs/n8n-cluster/nginx.conf does not name ${host}.`);
    site = site.replaceAll(host, address);
  }
  writeFileSync(path.join(home, 'site.conf'), site);
  writeFileSync(path.join(home, 'nginx.conf'), settings(home));
  const program = await startServer({
    name: 'nginx',
    command,
    args: ['-e', 'stderr', '-p', home, '-c', path.join(home, 'nginx.conf')],
    log: path.join(folder, 'nginx.log'),
    ready: async () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => true,
        () => false,
      ),
    readyWithinMs: 300_000,
  });
  return { program, url: `http://127.0.0.1:${port}` };
}

function settings(home: string): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${home}/${name};`)
    .join('\n  ');
  // As root, nginx would hand its work to an account that may not read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `daemon off;
${user}
pid ${home}/nginx.pid;
events {}
http {
  access_log off;
  ${folders}
  include ${home}/site.conf;
}
`;
}
