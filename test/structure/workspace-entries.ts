import { posix } from 'node:path';
import { projectFiles, read } from './project.ts';

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | { readonly source?: string }>>;
}

/** The source file behind every specifier of a workspace package: its export condition `source`. */
export function workspaceEntries(): Map<string, string> {
  const entries = new Map<string, string>();
  for (const path of projectFiles().filter((file) => posix.basename(file) === 'package.json')) {
    const { name, exports = {} }: Manifest = JSON.parse(read(path));
    for (const [subpath, target] of Object.entries(exports)) {
      const source = typeof target === 'string' ? target : target.source;
      if (source) entries.set(posix.join(name, subpath), posix.join(posix.dirname(path), source));
    }
  }
  return entries;
}
