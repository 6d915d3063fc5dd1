import { nodeTransport } from '@screen-advertising/core';
import { cellsOf, sampleOf } from './cell.ts';
import { corePlayer } from './core-player.ts';
import { describeMatrix } from './describe-matrix.ts';

describeMatrix(corePlayer('node:http', nodeTransport()), sampleOf(cellsOf('node:http')));
