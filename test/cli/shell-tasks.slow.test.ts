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

async function opened() {
  const service = await start({ screens: 0 });
  for (const [nth, city] of ['Berlin', 'Wien', 'Berlin'].entries()) {
    const id = `0195501a-e610-72f2-a0f9-b9b0c1d2e3f${nth}`;
    service.sandbox.screens.add({
      id,
      city,
      name: `Platz "${nth}", links`,
      price_per_day_cents: 100 + nth,
    });
  }
  const env = environment(service.baseUrl, service.full);
  const coupons = () => service.sandbox.snapshot().data.coupons;
  return { ...service, env, coupons, shell: (script: string) => startShell(script, env).ended };
}

const coupon = 'screen-advertising call coupon.create --discount_type percent --discount_value 15';

it('a spreadsheet of screens, with the columns that it needs', async () => {
  const { shell } = await opened();
  const list = 'screen-advertising call screen.list --csv --fields name,city,price_per_day_cents';
  expect(await shell(`${list} > screens.csv; echo $?; sort screens.csv`)).toEqual({
    code: 0,
    output:
      '0\n"Platz ""0"", links",Berlin,100\n"Platz ""1"", links",Wien,101\n"Platz ""2"", links",Berlin,102\nname,city,price_per_day_cents\n',
    errors: '',
  });
});

it('the ID in a table, for the next command', async () => {
  const { shell } = await opened();
  const script = `
    id=$(screen-advertising call screen.list --city Wien --table | awk 'NR == 2 { print $1 }')
    echo "$id"
    screen-advertising call screen.get --screenId "$id" --fields name --csv`;
  expect(await shell(script)).toEqual({
    code: 0,
    output: '0195501a-e610-72f2-a0f9-b9b0c1d2e3f1\nname\n"Platz ""1"", links"\n',
    errors: '',
  });
});

it('a coupon for each row of a file, stopped with Ctrl-C and continued', async () => {
  const { env, coupons } = await opened();
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

it('a job at night that reports only what a person must do', async () => {
  const { shell, sandbox } = await opened();
  sandbox.faults.add({ path: '/screens', fault: 'status', status: 503, times: 99 });
  const script = `
    screen-advertising call screen.list --csv > screens.csv 2> reason.txt
    case $? in 0) ;; 7) echo 'retry tomorrow' ;; *) cat reason.txt ;; esac
    screen-advertising call screen.get --screenId none > screen.json 2> reason.txt
    case $? in 0) ;; 4) cat reason.txt ;; *) echo other ;; esac
    wc -c < screen.json | tr -d ' '`;
  expect(await shell(script)).toEqual({
    code: 0,
    output:
      'retry tomorrow\nGet Screen failed: not found (404). The service says: "There is no screen none that can be booked." Check screenId.\n0\n',
    errors: '',
  });
});
