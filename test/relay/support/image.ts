import { read } from '../../structure/project.ts';

const dockerfile = 'packages/relay/Dockerfile';
const text = read(dockerfile);
const found = (pattern: RegExp, source = text) => pattern.exec(source)?.[1] ?? '';
const longestStop = found(/longestStopMs = ([\d_]+)/, read('packages/relay/src/cli/main.ts'));

/** What files that start the relay's image must know about it. */
export const image = {
  dockerfile,
  version: JSON.parse(read('packages/relay/package.json')).version as string,
  port: Number(found(/^EXPOSE (\d+)$/m)),
  volume: found(/^VOLUME (\S+)$/m),
  healthPath: found(/^ {2}CMD .*\}(\/\w+)`/m),
  longestStopMs: Number(longestStop.replaceAll('_', '')),
};
