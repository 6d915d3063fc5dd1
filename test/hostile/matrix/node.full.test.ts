import { nodeTransport } from '@screen-advertising/core';
import { cellsOf } from './cell.ts';
import { corePlayer } from './core-player.ts';
import { describeMatrix } from './describe-matrix.ts';

describeMatrix(corePlayer('node:http', nodeTransport()), cellsOf('node:http'));
