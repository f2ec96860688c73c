import { useEffect, useId, useRef } from 'react';
import { useMsg } from '../../i18n/i18n.ts';
import { type SearchParams, toIsoDate } from './search-params.ts';

interface DateFilterProps {
  readonly view: SearchParams;
  onView(view: SearchParams): void;
}

/** Date filter: the first and the last day, each with the browser's own date field, and the most frequent ranges. */
export function DateFilter({ view, onView }: DateFilterProps) {
  const { msg } = useMsg();
  const now = new Date();
  const today = toIsoDate(now);
  const daysAgo = (days: number) => toIsoDate(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));
  /** Ranges up to today, which they include: name and first day. */
  const ranges: readonly (readonly [string, string])[] = [
    [msg('Last 7 days'), daysAgo(6)],
    [msg('Last 30 days'), daysAgo(29)],
    [msg('This year'), `${now.getFullYear()}-01-01`],
  ];
  const { from, to } = view;
  // If the range would be empty, the other day is set to the same day.
  const setFrom = (day: string) => onView({ ...view, from: day, to: to !== '' && day > to ? day : to });
  const setTo = (day: string) => onView({ ...view, to: day, from: day !== '' && day < from ? day : from });
  return (
    <div className="choices">
      <div className="choice-spans">
        {ranges.map(([name, first]) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={from === first && to === ''}
            onClick={() => onView({ ...view, from: first, to: '' })}
          >
            {name}
          </button>
        ))}
      </div>
      <DateField
        name={msg('From', { id: 'search.from', desc: 'first day of a span' })}
        value={from}
        max={today}
        onDay={setFrom}
      />
      <DateField
        name={msg('To', { id: 'search.to', desc: 'last day of a span, included' })}
        value={to}
        max={today}
        onDay={setTo}
      />
    </div>
  );
}

interface DateFieldProps {
  readonly name: string;
  readonly value: string;
  readonly max: string;
  onDay(day: string): void;
}

function DateField({ name, value, max, onDay }: DateFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current !== null && field.current.value !== value) field.current.value = value;
  }, [value]);
  return (
    <div className="choice">
      <label htmlFor={id}>{name}</label>
      <input
        ref={field}
        id={id}
        type="date"
        defaultValue={value}
        min="2000-01-01"
        max={max}
        // A half-typed year is an early, invalid day: the field reports a date only when it is valid.
        onChange={({ currentTarget }) => currentTarget.validity.valid && onDay(currentTarget.value)}
      />
    </div>
  );
}
