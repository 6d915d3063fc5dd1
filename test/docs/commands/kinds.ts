import { allCommands, type Typed } from './typed.ts';

const pnpm = '^(?:npx -y )?pnpm(?:@12)? ';
const zapierScript = `${pnpm}--filter zapier-screen-advertising run `;

/** Commands of the documents that tests run exactly as shown. */
const kinds = {
  'calls of a sandbox': /^curl .*http:\/\/127\.0\.0\.1:8787\//,
  'events of a sandbox': new RegExp(`${pnpm}run sandbox fire `),
  'the command line': new RegExp(
    `^export SCREEN_ADVERTISING_|^npx @screen-advertising/cli |${pnpm}run cli(?: |$)`,
  ),
  'the relay': new RegExp(
    `${pnpm}run relay(?: |$)|^screen-advertising-relay |^export (?:RELAY|CONNECTOR)_|^unset RELAY_|^echo "\\$RELAY_|^tar -(?:c|xp)zf relay\\.tar\\.gz |^install -d |^curl .*http://127\\.0\\.0\\.1:8788/`,
  ),
  'the MCP server': new RegExp(`${pnpm}run mcp(?: |$)`),
  'settings of the cluster': /^cat > \.env <<END\n/,
  "Zapier's command line": new RegExp(
    `^cat > packages/zapier-screen-advertising/build/|${zapierScript}(?:build|zapier invoke .*)$`,
  ),
  'the n8n package by hand':
    /^cd packages\/n8n-nodes-screen-advertising && npm pack$|^mkdir -p |^tar -xzf /,
  'n8n to look around in': new RegExp(`${pnpm}run n8n$`),
} as const satisfies Readonly<Record<string, RegExp>>;

type KindName = keyof typeof kinds;

/** All commands of one kind, in the order of the documents; at least one. */
export function commandsOf(kind: KindName): Typed[] {
  const found = allCommands.filter(({ text }) => kinds[kind].test(text));
  if (found.length === 0) throw new Error(`No document shows a command of the kind "${kind}".`);
  return found;
}

/** The commands' texts without duplicates. */
export function textsOf(kind: KindName): string[] {
  return [...new Set(commandsOf(kind).map(({ text }) => text))];
}
