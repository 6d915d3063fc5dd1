import { describe, expect, it } from '@jest/globals';
import { events } from '@screen-advertising/core';
import { eventEffects } from '../../../packages/sandbox/src/records/event-effects.ts';

describe('the effects of events', () => {
  it.each(Object.keys(eventEffects))(
    'of %s belong to an event of shared/src/catalogue/events.ts',
    (name) => expect(Object.keys(events)).toContain(name),
  );
});
