import { useEffect, useRef } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { EmptyState } from '../../components/States.tsx';
import menuStyles from '../../components/styles/menu.css';
import { Toast } from '../../components/Toast.tsx';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useToast } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { AuditLogSection } from './AuditLog.tsx';
import { BrandSection } from './brand/BrandSection.tsx';
import { ChannelsSection } from './channels/ChannelsSection.tsx';
import { HiddenPosts } from './HiddenPosts.tsx';
import { RowsSkeleton } from './ListStates.tsx';
import styles from './operator.css';

/** Includes the styles of menus, because the channel sheet contains a menu. */
const STYLES = menuStyles + styles;

export interface OperatorPageProps {
  /** Section in the URL: its name, or '' for the channels. */
  readonly section: string;
}

/** Operator sections: channels and their health, hidden posts, the brand, and the audit log. */
export function OperatorSections({ section }: OperatorPageProps) {
  const { msg } = useMsg();
  const { dataClient, environment } = useServices();
  const session = useSignalValue(dataClient.session);
  const root = useStylesheet(STYLES);
  const { toast, show, hold } = useToast();
  useEffect(() => environment.setTitle?.(msg('Operator')), [environment, msg]);
  const isOperator = session.type === 'signed-in' && session.user.operator;
  const sections = [
    { name: '', label: msg('Channels'), Section: ChannelsSection },
    { name: 'hidden', label: msg('Hidden'), Section: HiddenPosts },
    ...(isOperator ? [{ name: 'brand', label: msg('Brand'), Section: BrandSection }] : []),
    { name: 'history', label: msg('History'), Section: AuditLogSection },
  ];
  const openSection = sections.find(({ name }) => name === section) ?? sections[0];
  const openLink = useRef<HTMLAnchorElement>(null);
  // Scrolls to the link of the open section: a narrow window has no space for all sections, and the URL may name the
  // last one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at the first display and for each opened section
  useEffect(() => {
    openLink.current?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  }, [session.type, openSection?.name]);
  return (
    <div className="operator" ref={root}>
      {session.type === 'expected' && <RowsSkeleton />}
      {session.type === 'anonymous' && <SignedOut />}
      {session.type === 'signed-in' && openSection !== undefined && (
        <>
          <nav className="chips" aria-label={msg('Operator')}>
            {sections.map(({ name, label }) => (
              <a
                key={name}
                ref={name === openSection.name ? openLink : undefined}
                className="chip"
                href={name === '' ? '/changer?operator' : `/changer?operator=${name}`}
                aria-current={name === openSection.name ? 'page' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
          <openSection.Section show={show} isOperator={isOperator} />
        </>
      )}
      <Toast toast={toast} hold={hold} />
    </div>
  );
}

/** Empty state: the operators' page requires an account, and only Telegram can sign a reader in. */
function SignedOut() {
  const { msg } = useMsg();
  const { environment } = useServices();
  return (
    <EmptyState
      icon={<AnyIcon name="person" />}
      title={msg('You are not signed in')}
      text={msg('Open this app in Telegram: there it knows who you are.')}
    >
      {environment.botApp !== null && (
        <a className="button" href={environment.botApp}>
          {msg('Open in Telegram')}
        </a>
      )}
    </EmptyState>
  );
}
