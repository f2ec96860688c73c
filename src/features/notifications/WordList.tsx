import { useId } from 'react';
import { str, useMsg } from '../../i18n/i18n.ts';
import { WordEditor } from '../lineup/WordEditor.tsx';

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
  const textId = useId();
  return (
    <div className="notify-words">
      <WordEditor
        words={words}
        maxWords={MAX_WORDS}
        maxWordLength={MAX_WORD_LENGTH}
        listLabel={msg('Your words')}
        fieldLabel={msg('A word of the posts')}
        removeLabel={(word) => msg(str`Delete “${word}”`)}
        describedBy={textId}
        onAdd={(newWords, word) => onChange(newWords, msg(str`Posts with “${word}” will be shown`))}
        onRemove={(newWords, word) => onChange(newWords, msg(str`“${word}” is removed`))}
      />
      <p id={textId} className="notify-text">
        {msg('A post is shown if it contains one of the words, in any of its forms.')}
      </p>
    </div>
  );
}
