import { describeRelayMatrix } from './describe-relay-matrix.ts';
import { corePlayer } from './players/core.ts';

describeRelayMatrix('core', corePlayer);
