import { createSandbox } from '@screen-advertising/sandbox';
import { deliverEvents } from './events.ts';
import { Narrator } from './narrator.ts';
import { walkOperations } from './operations.ts';
import { passOn } from './relay.ts';

const narrator = new Narrator();
const sandbox = createSandbox();

try {
  const { url, baseUrl } = await sandbox.listen();
  const [access] = sandbox.accesses;
  narrator.chapter('The sandbox, the service on this machine');
  narrator.note(`listens at ${baseUrl} with ${sandbox.screens.list().length} screens`);
  await walkOperations(narrator, baseUrl, access);
  await deliverEvents(narrator, sandbox, baseUrl);
  await passOn(narrator, sandbox);
  narrator.end(`All connectors work against ${url}:`);
  narrator.note('To connect n8n, Zapier or a program of your own: npx -y pnpm@12 run sandbox');
} catch (error) {
  narrator.fail(error);
  process.exitCode = 1;
} finally {
  await sandbox.close();
}
