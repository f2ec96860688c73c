import { useMsg } from '../../i18n/i18n.ts';
import { kindNames } from './filter-labels.ts';
import { SEARCH_KINDS, type SearchParams } from './search-params.ts';

/** Kind filter of a search: a post must contain one of the checked kinds. */
export function KindFilter({ view, onView }: { readonly view: SearchParams; onView(view: SearchParams): void }) {
  const names = kindNames(useMsg());
  const { kinds } = view;
  return (
    <div className="choices">
      {SEARCH_KINDS.map((kind) => (
        <label key={kind} className="choice">
          <span>{names[kind]}</span>
          <input
            type="checkbox"
            checked={kinds.includes(kind)}
            onChange={({ currentTarget }) =>
              onView({
                ...view,
                kinds: SEARCH_KINDS.filter((other) => (other === kind ? currentTarget.checked : kinds.includes(other))),
              })
            }
          />
        </label>
      ))}
    </div>
  );
}
