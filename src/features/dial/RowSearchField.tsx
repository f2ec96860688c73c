import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { useMsg } from '../../i18n/i18n.ts';
import { rowControl } from '../lineup/use-focus-retention.ts';

interface RowSearchFieldProps {
  readonly query: string;
  readonly onType: (typed: string) => void;
  /** Selects the first search result. */
  readonly onEnter: () => void;
  readonly onClose: () => void;
  /** Root element that contains the rows, to move the focus down to them. */
  readonly root: RefObject<HTMLElement | null>;
}

/** Row search field: filters the line-up by the typed text. */
export function RowSearchField({ query, onType, onEnter, onClose, root }: RowSearchFieldProps) {
  const { msg } = useMsg();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const shadowRoot = field.current?.getRootNode();
    if (!(shadowRoot instanceof ShadowRoot)) return;
    const previousFocus = shadowRoot.activeElement;
    const rowId = previousFocus?.closest<HTMLElement>('[data-row]')?.dataset.row;
    field.current?.focus();
    return () => {
      if (shadowRoot.activeElement !== null || !(previousFocus instanceof HTMLElement)) return;
      // A row that was filtered out has been rendered again, so its element is looked up.
      const target = rowId === undefined || previousFocus.isConnected ? previousFocus : rowControl(root.current, rowId);
      target?.focus({ preventScroll: true });
    };
  }, [root]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter') onEnter();
    else if (event.key === 'ArrowDown') root.current?.querySelector<HTMLElement>('[data-row] .row-main')?.focus();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the oldest supported browsers lack <search>
    <div className="find" role="search">
      <Icon name="search" small />
      <input
        ref={field}
        type="search"
        enterKeyHint="go"
        autoComplete="off"
        placeholder={msg('Name or number')}
        aria-label={msg('Search the line-up')}
        value={query}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button type="button" className="icon-button" aria-label={msg('Close the search')} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}
