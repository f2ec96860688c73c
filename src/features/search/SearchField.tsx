import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { useMsg } from '../../i18n/i18n.ts';

interface SearchFieldProps {
  /** Text of the field; a new object replaces the typed text. */
  readonly value: { readonly q: string };
  readonly label: string;
  readonly field: RefObject<HTMLInputElement | null>;
  onType(text: string): void;
  onSend(text: string): void;
  /** Called when Escape is pressed in the empty field. */
  onLeave(): void;
}

/** Search field: results load while the reader types; Escape empties the field, then leaves it. */
export function SearchField({ value, label, field, onType, onSend, onLeave }: SearchFieldProps) {
  const { msg } = useMsg();
  const [isFilled, setIsFilled] = useState(value.q !== '');
  useEffect(() => {
    const input = field.current;
    if (input !== null && input.value.trim() !== value.q) input.value = value.q;
    setIsFilled(value.q !== '');
  }, [value, field]);
  const onInput = (text: string) => {
    setIsFilled(text !== '');
    onType(text);
  };
  const clear = () => {
    if (field.current !== null) field.current.value = '';
    field.current?.focus();
    onInput('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend(field.current?.value.trim() ?? '');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (event.currentTarget.value === '') onLeave();
    else clear();
  };
  return (
    <search className="search-field">
      <form onSubmit={submit}>
        <Icon name="search" small />
        <input
          ref={field}
          type="search"
          name="q"
          defaultValue={value.q}
          maxLength={200}
          enterKeyHint="search"
          autoComplete="off"
          placeholder={label}
          aria-label={label}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {isFilled && (
          <button type="button" className="icon-button" aria-label={msg('End the search')} onClick={clear}>
            <Icon name="close" small />
          </button>
        )}
      </form>
    </search>
  );
}
