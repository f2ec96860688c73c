import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useMsg } from '../i18n/i18n.ts';
import { useContentReport } from './content-status.ts';
import { contentFocusSuccessor } from './focus/focus-successor.ts';
import { Icon } from './icons/Icon.tsx';

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: ReactNode;
  /** True if the page has no other heading. */
  readonly isPageHeading?: boolean;
  /** Links or buttons that lead to other content. */
  readonly children?: ReactNode;
}

/** Empty state: renders why there is nothing to show, with links or buttons to other content. */
export function EmptyState({ icon, title, text, isPageHeading = false, children }: EmptyStateProps) {
  const Heading = isPageHeading ? 'h1' : 'h2';
  return (
    <section ref={contentFocusSuccessor} className="empty">
      {icon}
      <Heading>{title}</Heading>
      <p>{text}</p>
      {children !== undefined && <div className="actions">{children}</div>}
    </section>
  );
}

interface NoticeProps {
  /** A small icon. */
  readonly icon: ReactNode;
  readonly children: ReactNode;
  /** Button or link that resolves the problem. */
  readonly action?: ReactNode;
}

/** Notice: an unobtrusive line above or between posts. */
export function Notice({ icon, children, action }: NoticeProps) {
  return (
    <div className="notice">
      {icon}
      <p>{children}</p>
      {action}
    </div>
  );
}

interface ErrorStateProps extends Pick<EmptyStateProps, 'isPageHeading'> {
  readonly failure: { readonly message: string; readonly status: number | null };
  onRetry(): void;
}

/**
 * Renders a slot in place of content that cannot be shown, so that the host page's own text inside the tag is displayed
 * instead. Reports the failure to the host page with the event `changer-failed`.
 */
export function FallbackSlot({ message, children }: { readonly message: string; readonly children: ReactNode }) {
  const slot = useRef<HTMLSlotElement>(null);
  useContentReport('failed');
  useEffect(() => {
    slot.current?.dispatchEvent(new CustomEvent('changer-failed', { detail: { message }, bubbles: true, composed: true }));
  }, [message]);
  return <slot ref={slot}>{children}</slot>;
}

/** Error state: renders that something could not be loaded and why, with a retry button. */
export function ErrorState({ failure: { message, status }, isPageHeading = false, onRetry }: ErrorStateProps) {
  const { msg } = useMsg();
  return (
    <FallbackSlot message={message}>
      <EmptyState
        icon={<Icon name={status === null ? 'offline' : 'info'} />}
        title={msg('This could not be loaded')}
        text={
          status === null ? (
            msg('Check your connection. What is saved on this device can still be read.')
          ) : (
            <ErrorExplanation status={status} />
          )
        }
        isPageHeading={isPageHeading}
      >
        <button type="button" className="button" onClick={onRetry}>
          {msg('Try again')}
        </button>
      </EmptyState>
    </FallbackSlot>
  );
}

/** Renders the meaning of an error response. The server responded, so the chunk with the texts can be loaded. */
function ErrorExplanation({ status }: { readonly status: number }) {
  const messages = useMsg();
  const [errorTexts, setErrorTexts] = useState<typeof import('./error-text.ts') | null>(null);
  useEffect(() => void import('./error-text.ts').then(setErrorTexts, () => {}), []);
  return errorTexts?.failureText(messages, status);
}

const SKELETON_KEYS = [1, 2, 3, 4];

/** Loading state: skeletons in place of posts that are being loaded. */
export function PostSkeletons({
  withoutHeader = false,
  keys = SKELETON_KEYS,
}: {
  readonly withoutHeader?: boolean;
  readonly keys?: readonly number[];
}) {
  const { msg } = useMsg();
  useContentReport('loading');
  return (
    <div className="skeletons" role="status" aria-label={msg('Loading')}>
      {keys.map((key) => (
        <div key={key} className="post bones">
          {!withoutHeader && (
            <div className="post-head">
              <span className="bone avatar" />
              <div>
                <span className="bone" />
                <span className="bone" />
              </div>
            </div>
          )}
          <span className="bone" />
          <span className="bone" />
          <span className="bone" />
          <span className="bone picture" />
        </div>
      ))}
    </div>
  );
}
