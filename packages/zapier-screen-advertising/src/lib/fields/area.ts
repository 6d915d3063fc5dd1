import { isEmpty } from '@screen-advertising/core/forms';
import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';

/** The fields of each kind of area. The first is what makes it an area. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  place: ['near', 'radius_km'],
  box: ['bbox'],
};

const kindField: PlainInputField = {
  key: 'area',
  label: 'Area',
  type: 'string',
  required: false,
  altersDynamicFields: true,
  choices: [
    { value: 'place', sample: 'place', label: 'Near a Place' },
    { value: 'box', sample: 'box', label: 'Inside a Bounding Box' },
  ],
  helpText: 'Adds the fields for a place or a box. Default: screens anywhere.',
};

/**
 * A form that asks for an area with one field. The fields of a kind appear once it is chosen. Those
 * with a value stay, since the step uses it whatever is chosen.
 */
export function withArea(fields: readonly PlainInputField[]) {
  const keys = Object.values(kinds).flat();
  const ofArea = fields.filter(({ key }) => keys.includes(key));
  const others = fields.filter(({ key }) => !keys.includes(key));
  const place = fields.findIndex(({ key }) => keys.includes(key));
  const shown = (_z: ZObject, { inputData }: Bundle): PlainInputField[] => {
    const chosen = kinds[String(inputData.area)] ?? [];
    return ofArea
      .filter(({ key }) => chosen.includes(key) || !isEmpty(inputData[key]))
      .map((field) => ({ ...field, required: field.key === chosen[0] }));
  };
  return [...others.slice(0, place), kindField, shown, ...others.slice(place)];
}
