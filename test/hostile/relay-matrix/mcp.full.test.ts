import { describeRelayMatrix } from './describe-relay-matrix.ts';
import { mcpPlayer } from './players/mcp.ts';

describeRelayMatrix('mcp', mcpPlayer);
