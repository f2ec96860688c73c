import { type FormEvent, useId, useRef, useState } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { setMutedWords } from '../../data/lineup/operations.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import type { RowActions } from './row-actions.ts';

interface MutedWordsSheetProps {
  readonly row: LineupRow;
  readonly actions: RowActions;
  readonly onClose: () => void;
}

/** Maximum number and length of muted words (contract). */
const MAX_MUTED_WORDS = 50;
const MAX_WORD_LENGTH = 64;

/** Muted words sheet: words that hide a channel's posts from the reader's feed. Each change applies at once. */
export function MutedWordsSheet({ row, actions, onClose }: MutedWordsSheetProps) {
  const { msg } = useMsg();
  const { id: channelId, title } = row.channel;
  const words = row.entry.mutedWords ?? [];
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useUnsavedWarning(typed.trim() !== '');
  const [announcement, setAnnouncement] = useState('');
  const saveWords = (newWords: readonly string[], text: string) => {
    actions.change({ action: 'mute-words', channelId }, setMutedWords(channelId, newWords), text);
    // The page's live region is not announced while the sheet is open.
    setAnnouncement(text);
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    const word = typed.trim();
    setTyped('');
    if (word !== '' && !words.some((existing) => existing.toLocaleLowerCase() === word.toLocaleLowerCase()))
      saveWords([...words, word], msg(str`${title}: posts with “${word}” are hidden`));
  };
  const remove = (word: string) => {
    saveWords(
      words.filter((existing) => existing !== word),
      msg(str`${title}: posts with “${word}” are shown again`),
    );
    field.current?.focus();
  };
  return (
    <Sheet title={msg('Mute by words')} onClose={onClose}>
      <p className="sheet-text" id={`${id}-why`}>
        {msg(str`Posts of ${title} that contain one of these words are hidden from your feed. They are still on its own page.`)}
      </p>
      {words.length > 0 && (
        <ul className="words" aria-label={msg('Muted words')}>
          {words.map((word) => (
            <li key={word}>
              <button type="button" className="chip" aria-label={msg(str`Remove “${word}”`)} onClick={() => remove(word)}>
                <bdi>{word}</bdi>
                <AnyIcon name="close" small />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className="words-add" onSubmit={add}>
        <label htmlFor={id}>{msg('Word or phrase')}</label>
        <input
          ref={field}
          id={id}
          dir="auto"
          autoComplete="off"
          enterKeyHint="done"
          maxLength={MAX_WORD_LENGTH}
          aria-describedby={`${id}-why`}
          disabled={words.length >= MAX_MUTED_WORDS}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" className="button" disabled={typed.trim() === ''}>
          {msg('Add')}
        </button>
      </form>
      <p className="hidden" role="status">
        {announcement}
      </p>
    </Sheet>
  );
}
