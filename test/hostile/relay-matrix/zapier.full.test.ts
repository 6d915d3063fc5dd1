import { describeRelayMatrix } from './describe-relay-matrix.ts';
import { zapierPlayer } from './players/zapier.ts';

describeRelayMatrix('zapier', zapierPlayer());
