import { useId } from 'react';

interface SegmentedControlProps<Value extends string> {
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly lang?: string }[];
  readonly chosen: Value;
  readonly choose: (value: Value) => void;
}

/** Segmented control: a radio group of a few options next to each other. Its style sheet is `segmented-control.css`. */
export function SegmentedControl<Value extends string>({ legend, options, chosen, choose }: SegmentedControlProps<Value>) {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      <div>
        {options.map(({ value, label, lang }) => (
          <label key={value} lang={lang}>
            <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => choose(value)} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
