import type { Messages } from '../src/i18n/messages.ts';
import { marked } from './choices.ts';
import type { Described, DescribedTag } from './described.ts';
import { make } from './dom.ts';

/** Reference: renders the complete description of a tag, with a collapsible section for each type of entry. */
export function drawReference(
  m: Messages,
  { attributes, events, slots, cssParts, cssProperties }: DescribedTag,
): readonly HTMLElement[] {
  const folds: readonly (readonly [string, readonly Described[]])[] = [
    [m.msg('Attributes, and properties of the same names'), attributes],
    [m.msg('Events'), events],
    [m.msg('Children of the tag'), slots],
    [m.msg('Parts, for ::part()'), cssParts],
    [m.msg('Custom properties'), cssProperties],
  ];
  return folds.filter(([, list]) => list.length > 0).map(([title, list]) => drawFold(m, title, list));
}

function drawFold(m: Messages, title: string, list: readonly Described[]): HTMLElement {
  const rows = list.flatMap(({ name, type, default: standard, description = '' }) => {
    const facts = [type?.text, standard].filter((fact) => fact !== undefined);
    const term = make(
      'dt',
      {},
      ...(name === '' ? [m.msg('Children')] : [make('code', {}, name)]),
      ...facts.map((fact) => make('small', {}, fact)),
    );
    return [term, make('dd', {}, ...marked(description))];
  });
  return make('details', {}, make('summary', {}, title), make('dl', {}, ...rows));
}
