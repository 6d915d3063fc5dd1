/**
 * An agent at an MCP server: calls its first tool twice with the same arguments, and prints the
 * records that it gets.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url = '', input = '{}'] = process.argv.slice(2);
const client = new Client({ name: 'agent', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const [{ name } = { name: '' }] = tools;
const records: unknown[] = [];
for (let times = 0; times < 2; times += 1) {
  const { content } = await client.callTool({ name, arguments: JSON.parse(input) });
  for (const part of content) if (part.type === 'text') records.push(...JSON.parse(part.text));
}
process.stdout.write(JSON.stringify(records));
await client.close();
