import type { EventName } from '@screen-advertising/core';
import type { Sandbox } from '@screen-advertising/sandbox';
import { type Running, start } from '../relay/support/running-relay.ts';
