import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/** Names of the functions that ran, by the path of their file from the root of the project. */
export type Executed = Readonly<Record<string, readonly string[]>>;

/** Product code, without the scripts that build it. */
const product = /^(shared\/src|packages\/[^/]+\/(nodes|credentials|lib|src))\//;

/**
 * Which functions of the product a call runs, by V8's own counters. The call runs once before it is
 * measured, so that loading and one-time setup do not count.
 */
export async function executedBy(call: () => Promise<unknown>): Promise<Executed> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Debugger.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await call();
    // Taking the counters resets them to zero.
    await session.post('Profiler.takePreciseCoverage');
    await call();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const found = new Map<string, Map<string, string>>();
    for (const { scriptId, url, functions } of result) {
      if (!url.startsWith(bundled) && !product.test(pathOf(url))) continue;
      const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
      const fileAt = filesIn(url, scriptSource);
      for (const { functionName, ranges } of functions) {
        const [range] = ranges;
        const file = range && range.count > 0 && fileAt(range.startOffset);
        if (!file) continue;
        const text = scriptSource.slice(range.startOffset, range.endOffset);
        // Each bundled file has a copy of the code it uses: the same text is the same function.
        const functionsOfFile = found.get(file) ?? new Map<string, string>();
        found.set(file, functionsOfFile.set(text, functionName));
      }
    }
    return Object.fromEntries([...found].map(([file, names]) => [file, [...names.values()]]));
  } finally {
    session.disconnect();
  }
}

/** n8n loads bundles; the Zapier app runs from its sources. */
const bundled = 'n8n-nodes-screen-advertising/dist/';

const root = fileURLToPath(new URL('../../..', import.meta.url));

function pathOf(url: string): string {
  return url.startsWith('file:') ? fileURLToPath(url).replace(root, '') : '';
}

/** The product file that contains the function at an offset, if there is one. */
function filesIn(url: string, source: string): (offset: number) => string | undefined {
  // Offset 0 is the module itself.
  if (!url.startsWith(bundled)) return (offset) => (offset > 0 ? pathOf(url) : undefined);
  const files = [...source.matchAll(/^\/\/ (\S+)$/gm)].map(({ 1: name = '', index }) => ({
    index,
    path: name
      .replace(/^(\.\.\/)+/, '')
      .replace(/^(nodes|credentials|lib)\//, `packages/${n8n}/$&`),
  }));
  // Functions that esbuild generates for exports and for later imports.
  const made = [
    ...source.matchAll(/^__export\([\s\S]*?^\}\);$|\(\) => \(init_\w+\(\), \w+\)/gm),
  ].map(({ 0: text, index }) => ({ from: index, to: index + text.length }));
  return (offset) => {
    if (made.some(({ from, to }) => from <= offset && offset < to)) return undefined;
    const path = files.findLast(({ index }) => index < offset)?.path ?? '';
    return product.test(path) ? path : undefined;
  };
}

const n8n = 'n8n-nodes-screen-advertising';
