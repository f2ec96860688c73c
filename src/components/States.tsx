import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useMsg } from '../i18n/i18n.ts';
import { leavesFocusToContent } from './focus/focus-successor.ts';
import { Icon } from './icons/Icon.tsx';

interface EmptyProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: ReactNode;
  /** True if the page has no other heading. */
  readonly alone?: boolean;
  /** Links or buttons that lead to other content. */
  readonly children?: ReactNode;
}

/** Empty state: renders why there is nothing to show, and where to go instead. */
export function Empty({ icon, title, text, alone = false, children }: EmptyProps) {
  const Heading = alone ? 'h1' : 'h2';
  return (
    <section ref={leavesFocusToContent} className="empty">
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

interface FailureProps extends Pick<EmptyProps, 'alone'> {
  readonly failed: { readonly message: string; readonly status: number | null };
  onRetry(): void;
}

/**
 * Renders a slot in place of content that cannot be shown, so that the host page's own text inside the tag is displayed instead.
 * Reports the failure to the host page with the event `changer-failed`.
 */
export function StandIn({ message, children }: { readonly message: string; readonly children: ReactNode }) {
  const slot = useRef<HTMLSlotElement>(null);
  useEffect(() => {
    slot.current?.dispatchEvent(new CustomEvent('changer-failed', { detail: { message }, bubbles: true, composed: true }));
  }, [message]);
  return <slot ref={slot}>{children}</slot>;
}

/** Error state: renders that something could not be loaded and why, with a retry button. */
export function Failure({ failed: { message, status }, alone = false, onRetry }: FailureProps) {
  const { msg } = useMsg();
  return (
    <StandIn message={message}>
      <Empty
        icon={<Icon name={status === null ? 'offline' : 'info'} />}
        title={msg('This could not be loaded')}
        text={
          status === null ? msg('Check your connection. What is kept on this device can still be read.') : <Why status={status} />
        }
        alone={alone}
      >
        <button type="button" className="button" onClick={onRetry}>
          {msg('Try again')}
        </button>
      </Empty>
    </StandIn>
  );
}

/** Renders the meaning of an error response. Since the server responded, the chunk with the texts can be loaded. */
function Why({ status }: { readonly status: number }) {
  const m = useMsg();
  const [part, setPart] = useState<typeof import('./error-text.ts') | null>(null);
  useEffect(() => void import('./error-text.ts').then(setPart, () => {}), []);
  return part?.failureText(m, status);
}

const BONES = [1, 2, 3, 4];

/** Loading state: skeletons in place of posts that are being loaded. */
export function PostSkeletons({
  plain = false,
  bones = BONES,
}: {
  readonly plain?: boolean;
  readonly bones?: readonly number[];
}) {
  const { msg } = useMsg();
  return (
    <div className="skeletons" role="status" aria-label={msg('Loading')}>
      {bones.map((key) => (
        <div key={key} className="post bones">
          {!plain && (
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
