import { cellsOf } from './cell.ts';
import { describeMatrix } from './describe-matrix.ts';
import { n8nPlayer } from './n8n-player.ts';

describeMatrix(n8nPlayer(), cellsOf('n8n'));
