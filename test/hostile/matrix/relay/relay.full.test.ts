import { corePlayer } from './core.ts';
import { describeRelay } from './describe-relay.ts';
import { n8nPlayer } from './n8n.ts';
import { zapierPlayer } from './zapier.ts';

describeRelay('core', corePlayer);
describeRelay('n8n', n8nPlayer());
describeRelay('zapier', zapierPlayer);
