import { type FormEvent, useId, useRef, useState } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { str, useMsg } from '../../i18n/i18n.ts';

/** Maximum number and length of the words of a choice (contract). */
const MAX_WORDS = 20;
const MAX_WORD_LENGTH = 40;

interface WordListProps {
  readonly words: readonly string[];
  /** Called with the new words, and a text that announces the change. */
  readonly onChange: (words: readonly string[], text: string) => void;
}

/** Word list: the words of which a post must contain one. A press removes a word. */
export function WordList({ words, onChange }: WordListProps) {
  const { msg } = useMsg();
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useUnsavedWarning(typed.trim() !== '');
  const add = (event: FormEvent) => {
    event.preventDefault();
    const word = typed.trim();
    setTyped('');
    if (word !== '' && !words.some((other) => other.toLocaleLowerCase() === word.toLocaleLowerCase()))
      onChange([...words, word], msg(str`Posts with “${word}” will be shown`));
  };
  const remove = (word: string) => {
    onChange(
      words.filter((other) => other !== word),
      msg(str`“${word}” is removed`),
    );
    field.current?.focus();
  };
  return (
    <div className="notify-words">
      {words.length > 0 && (
        <ul aria-label={msg('Your words')}>
          {words.map((word) => (
            <li key={word}>
              <button type="button" className="chip" aria-label={msg(str`Delete “${word}”`)} onClick={() => remove(word)}>
                <bdi>{word}</bdi>
                <AnyIcon name="close" small />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={add}>
        <label htmlFor={id}>{msg('A word of the posts')}</label>
        <input
          ref={field}
          id={id}
          dir="auto"
          autoComplete="off"
          enterKeyHint="done"
          maxLength={MAX_WORD_LENGTH}
          aria-describedby={`${id}why`}
          disabled={words.length >= MAX_WORDS}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" className="button" disabled={typed.trim() === ''}>
          {msg('Add')}
        </button>
      </form>
      <p id={`${id}why`} className="notify-text">
        {msg('A post is shown if it contains one of the words, in any of its forms.')}
      </p>
    </div>
  );
}
