/*
 * What people do with the command line in a shell, each as one script: what it prints, and the exit
 * codes that it sees.
 */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { start } from '../sandbox/support/running-sandbox.ts';
import { root } from '../structure/project.ts';
import { eventually } from '../support/eventually.ts';
import { node, type Program, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { environment } from './command.ts';

const folder = temporaryFolder();

/** As it is after an installation: a program of this name. */
beforeAll(async () => {
  const program = join(folder(), 'screen-advertising');
  const main = join(root, 'packages/cli/src/main.ts');
  await writeFile(
    program,
    `#!/bin/sh\nexec '${node}' --conditions=source --no-warnings '${main}' "$@"\n`,
  );
  await chmod(program, 0o755);
});

/** Runs a script of a shell with this environment. */
function startShell(script: string, env: Readonly<Record<string, string>>): Program {
  const PATH = `${folder()}:${process.env.PATH}`;
  return startProgram('bash', ['-c', script], { cwd: folder(), env: { ...env, PATH } });
}

const coupon = 'screen-advertising call coupon.create --discount_type percent --discount_value 15';

it('a coupon for each row of a file, stopped with Ctrl-C and continued', async () => {
  const service = await start({ screens: 0 });
  const env = environment(service.baseUrl, service.full);
  const coupons = () => service.sandbox.snapshot().data.coupons;
  const rows = Array.from({ length: 60 }, (_, nth) => `lead${nth}@example.com\n`);
  await writeFile(join(folder(), 'leads.csv'), `lead_email\n${rows.join('')}`);
  const first = startShell(`exec ${coupon} --file leads.csv`, env);
  await eventually(() => coupons().length >= 3, 'three coupons');
  first.interrupt();
  const stopped = await first.ended;
  const made = coupons().length;
  expect(made).toBeLessThan(60);
  expect(stopped).toEqual({
    code: 130,
    output: '',
    errors: `Create Coupon: ${made} succeeded, 0 failed, 0 done before, ${60 - made} left. Results: leads.csv.results.csv\nRun the same command again to continue.\n`,
  });
  expect(await startShell(`exec ${coupon} --file leads.csv`, env).ended).toEqual({
    code: 0,
    output: '',
    errors: `Create Coupon: ${60 - made} succeeded, 0 failed, ${made} done before, 0 left. Results: leads.csv.results.csv\n`,
  });
  expect(coupons()).toHaveLength(60);
  const results = await readFile(join(folder(), 'leads.csv.results.csv'), 'utf8');
  const [, ...lines] = results.trimEnd().split('\n');
  const numbers = lines.map((line) => Number(/^(\d+),.*,true,0,/.exec(line)?.[1]));
  expect(numbers).toEqual(Array.from({ length: 60 }, (_, nth) => nth + 2));
});

it('completion in bash', async () => {
  const script = `
    # Of the package bash-completion.
    _get_comp_words_by_ref() { cur=\${COMP_WORDS[COMP_CWORD]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD; }
    source <(screen-advertising complete bash)
    compopt() { :; }
    for line in 'screen-advertising find-' 'screen-advertising call coupon.' 'screen-advertising call user.lookup --v'; do
      COMP_WORDS=($line) COMP_CWORD=$(($(wc -w <<< "$line") - 1)) COMPREPLY=()
      __screen_advertising_complete
      echo "\${COMPREPLY[*]}"
    done`;
  expect(await startShell(script, {}).ended).toEqual({
    code: 0,
    output: 'find-available find-nearby\ncoupon.create coupon.get coupon.revoke\n--vat_uid\n',
    errors: '',
  });
});
