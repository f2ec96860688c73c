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
export function SearchField({ value: given, label, field, onType, onSend, onLeave }: SearchFieldProps) {
  const { msg } = useMsg();
  const [filled, setFilled] = useState(given.q !== '');
  useEffect(() => {
    const input = field.current;
    if (input !== null && input.value.trim() !== given.q) input.value = given.q;
    setFilled(given.q !== '');
  }, [given, field]);
  const type = (text: string) => {
    setFilled(text !== '');
    onType(text);
  };
  const clear = () => {
    if (field.current !== null) field.current.value = '';
    field.current?.focus();
    type('');
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSend(field.current?.value.trim() ?? '');
  };
  const leave = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (event.currentTarget.value === '') onLeave();
    else clear();
  };
  return (
    <search className="search-field">
      <form onSubmit={send}>
        <Icon name="search" small />
        <input
          ref={field}
          type="search"
          name="q"
          defaultValue={given.q}
          maxLength={200}
          enterKeyHint="search"
          autoComplete="off"
          placeholder={label}
          aria-label={label}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={leave}
        />
        {filled && (
          <button type="button" className="icon-button" aria-label={msg('End the search')} onClick={clear}>
            <Icon name="close" small />
          </button>
        )}
      </form>
    </search>
  );
}
