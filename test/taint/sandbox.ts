import { createSandbox as create, type Sandbox } from '../../packages/sandbox/src/index.ts';
import { closeAfterFile } from '../support/closing.ts';
import { watch } from './watch.ts';

export * from '../../packages/sandbox/src/index.ts';

const opened: Sandbox[] = [];
/** A test file with thousands of sandboxes must not keep them all. */
const kept = 20;

/** The real sandbox, with its journal and snapshots under watch. */
export const createSandbox: typeof create = (options) => {
  const sandbox = create(options);
  const { journal } = sandbox;
  const clear = journal.clear.bind(journal);
  journal.clear = () => {
    watch.data('the journal', journal.list());
    clear();
  };
  if (opened.length === 0) closeAfterFile(() => look(opened.length));
  opened.push(sandbox);
  if (opened.length > kept) look(1);
  return sandbox;
};

/** Checks what the oldest sandboxes keep. */
function look(count: number): void {
  for (const { journal, snapshot } of opened.splice(0, count)) {
    watch.data('the journal', journal.list());
    watch.data('a snapshot', snapshot());
  }
}
