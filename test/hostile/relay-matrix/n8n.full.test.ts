import { describeRelayMatrix } from './describe-relay-matrix.ts';
import { n8nPlayer } from './players/n8n.ts';

describeRelayMatrix('n8n', n8nPlayer());
