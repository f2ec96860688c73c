import { type FormEvent, useId, useRef, useState } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { useMsg } from '../../i18n/i18n.ts';

interface WordEditorProps {
  readonly words: readonly string[];
  readonly maxWords: number;
  readonly maxWordLength: number;
  readonly listLabel: string;
  readonly fieldLabel: string;
  readonly removeLabel: (word: string) => string;
  /** Id of the text that explains the words. */
  readonly describedBy: string;
  readonly listClass?: string;
  readonly formClass?: string;
  /** Called with the new words, and the one that was added or removed. */
  readonly onAdd: (words: readonly string[], word: string) => void;
  readonly onRemove: (words: readonly string[], word: string) => void;
}

/** Word editor: a list of words, of which a press removes one, and a field that adds a word. */
export function WordEditor({ words, listClass, formClass, onAdd, onRemove, ...props }: WordEditorProps) {
  const { msg } = useMsg();
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useUnsavedWarning(typed.trim() !== '');
  const add = (event: FormEvent) => {
    event.preventDefault();
    const word = typed.trim();
    setTyped('');
    if (word !== '' && !words.some((existing) => existing.toLocaleLowerCase() === word.toLocaleLowerCase()))
      onAdd([...words, word], word);
  };
  const remove = (word: string) => {
    onRemove(
      words.filter((existing) => existing !== word),
      word,
    );
    field.current?.focus();
  };
  return (
    <>
      {words.length > 0 && (
        <ul className={listClass} aria-label={props.listLabel}>
          {words.map((word) => (
            <li key={word}>
              <button type="button" className="chip" aria-label={props.removeLabel(word)} onClick={() => remove(word)}>
                <bdi>{word}</bdi>
                <AnyIcon name="close" small />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className={formClass} onSubmit={add}>
        <label htmlFor={id}>{props.fieldLabel}</label>
        <input
          ref={field}
          id={id}
          dir="auto"
          autoComplete="off"
          enterKeyHint="done"
          maxLength={props.maxWordLength}
          aria-describedby={props.describedBy}
          disabled={words.length >= props.maxWords}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" className="button" disabled={typed.trim() === ''}>
          {msg('Add')}
        </button>
      </form>
    </>
  );
}
