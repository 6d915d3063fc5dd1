import { createSandbox } from '@screen-advertising/sandbox';
import { runCommandLine, runMcp, runN8n, runZapier } from './connectors.ts';
import { deliverEvents, walkOperations } from './core.ts';
import { Narrator } from './narrator.ts';
import { passOn } from './relay.ts';

const narrator = new Narrator();
const sandbox = createSandbox();

try {
  const { baseUrl } = await sandbox.listen();
  const service = { narrator, sandbox, baseUrl };
  narrator.chapter('Sandbox: the service on this machine');
  narrator.note(`listens at ${baseUrl} with ${sandbox.screens.list().length} screens`);
  await walkOperations(service);
  await deliverEvents(service);
  await runN8n(service);
  await runZapier(service);
  await runMcp(service);
  await runCommandLine(service);
  await passOn(service);
  narrator.end('Core, n8n, Zapier, MCP, command line and relay ran against the sandbox.');
  narrator.next([
    ['npx -y pnpm@12 run sandbox', 'a sandbox with a page to click through, which stays'],
    ['npx -y pnpm@12 run n8n', 'an n8n with the node, credentials and recipes'],
    ['npx -y pnpm@12 run cli call --help', 'requests from a shell'],
  ]);
} catch (error) {
  narrator.fail(error);
  process.exitCode = 1;
} finally {
  await sandbox.close();
}
