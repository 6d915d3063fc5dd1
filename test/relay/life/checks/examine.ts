import { readAudit } from '../audit.ts';
import type { Scene } from '../scene.ts';
import { arrivalsFound } from './arrivals.ts';
import { erasedFound } from './erased.ts';
import { Findings } from './findings.ts';
import { leasesFound } from './leases.ts';
import { lostFound } from './lost.ts';
import { requestsFound } from './requests.ts';
import { rowsFound } from './rows.ts';

/** What was wrong in a run, in words, and what was counted. */
export async function examine(scene: Scene) {
  const { history } = scene;
  const findings = await Findings.of(scene, await readAudit(scene.stage.databaseUrl));
  const arrivals = arrivalsFound(findings);
  const leases = leasesFound(findings);
  return {
    figures: {
      events: history.events.length,
      puts: history.puts.length,
      kills: history.absences.filter(({ kind }) => kind === 'killed').length,
      ...arrivals.figures,
      takenOver: leases.takenOver,
    },
    violations: [
      ...rowsFound(findings),
      ...requestsFound(findings),
      ...leases.violations,
      ...arrivals.violations,
      ...lostFound(findings),
      ...erasedFound(findings),
    ],
  };
}
