import { marked } from './choices.ts';
import type { Described, DescribedTag } from './described.ts';
import { make } from './dom.ts';

/** Draws all that there is to say of a tag, a fold for each kind of thing. */
export function drawReference({ attributes, events, slots, cssParts, cssProperties }: DescribedTag): readonly HTMLElement[] {
  const folds: readonly (readonly [string, readonly Described[]])[] = [
    ['Attributes, and properties of the same names', attributes],
    ['Events', events],
    ['What stands inside the tag', slots],
    ['Parts, for ::part()', cssParts],
    ['Custom properties', cssProperties],
  ];
  return folds.filter(([, list]) => list.length > 0).map(([title, list]) => drawFold(title, list));
}

function drawFold(title: string, list: readonly Described[]): HTMLElement {
  const rows = list.flatMap(({ name, type, default: standard, description = '' }) => {
    const facts = [type?.text, standard].filter((fact) => fact !== undefined);
    const term = make(
      'dt',
      {},
      ...(name === '' ? ['Children'] : [make('code', {}, name)]),
      ...facts.map((fact) => make('small', {}, fact)),
    );
    return [term, make('dd', {}, ...marked(description))];
  });
  return make('details', {}, make('summary', {}, title), make('dl', {}, ...rows));
}
