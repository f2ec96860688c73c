import { useId, useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import { setMutedWords } from '../../data/lineup/operations.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import type { RowActions } from './row-actions.ts';
import { WordEditor } from './WordEditor.tsx';

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
  const textId = useId();
  const [announcement, setAnnouncement] = useState('');
  const saveWords = (newWords: readonly string[], text: string) => {
    actions.change({ action: 'mute-words', channelId }, setMutedWords(channelId, newWords), text);
    // The page's live region is not announced while the sheet is open.
    setAnnouncement(text);
  };
  return (
    <Sheet title={msg('Mute by words')} onClose={onClose}>
      <p className="sheet-text" id={textId}>
        {msg(str`Posts of ${title} that contain one of these words are hidden from your feed. They are still on its own page.`)}
      </p>
      <WordEditor
        words={words}
        maxWords={MAX_MUTED_WORDS}
        maxWordLength={MAX_WORD_LENGTH}
        listLabel={msg('Muted words')}
        fieldLabel={msg('Word or phrase')}
        removeLabel={(word) => msg(str`Remove “${word}”`)}
        describedBy={textId}
        listClass="words"
        formClass="words-add"
        onAdd={(newWords, word) => saveWords(newWords, msg(str`${title}: posts with “${word}” are hidden`))}
        onRemove={(newWords, word) => saveWords(newWords, msg(str`${title}: posts with “${word}” are shown again`))}
      />
      <p className="hidden" role="status">
        {announcement}
      </p>
    </Sheet>
  );
}
