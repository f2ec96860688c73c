import { Component, type ComponentType, type ReactNode, useEffect, useMemo, useState } from 'react';
import { BackContext } from '../components/back-button-context.ts';
import { BackgroundSoundContext } from '../components/media/background-audio.ts';
import { KeptContext } from '../components/media/offline-image-context.ts';
import { createMessages, heldMessages, loadMessages, type Messages, MessagesContext, useMsg } from '../i18n/i18n.ts';
import { type Locale, pickLocale } from '../i18n/locale.ts';
import { type Services, ServicesContext } from './services.ts';

/** What a tag hands its page. */
export interface Given {
  readonly Page: ComponentType<object>;
  readonly services: Services;
  /** The page's own properties. */
  readonly props: object;
  /** The tag's language, or that of what it stands in. */
  readonly lang: string | undefined;
  readonly dir: 'ltr' | 'rtl' | 'auto' | undefined;
  /** Told of an error that stopped the page. */
  failed(error: unknown): void;
}

/** The root of every tag: its services, its language, and the boundary that keeps the page's errors inside. */
export const PageRoot = ({ given }: { readonly given: Given }) => (
  <PageFrame given={given} {...useMessages(pickLocale([given.lang, ...navigator.languages]))} />
);

interface PageFrameProps {
  readonly given: Given;
  readonly messages: Messages;
  /** Whether its words are there. */
  readonly complete: boolean;
}

/** The root of a page in a language: what a server draws. */
export function PageFrame({ given, messages, complete }: PageFrameProps) {
  const { Page, props } = given;
  return (
    <ServicesContext value={given.services}>
      <MessagesContext value={messages}>
        <div className={complete ? 'root' : 'root waiting'} lang={messages.locale} dir={given.dir ?? messages.dir}>
          <Boundary given={given}>
            <BackContext value={given.services.host.showBackButton}>
              <KeptContext value={given.services.site.showKept}>
                <BackgroundSoundContext value={given.services.site.sound}>
                  <Page {...props} />
                </BackgroundSoundContext>
              </KeptContext>
            </BackContext>
          </Boundary>
        </div>
      </MessagesContext>
    </ServicesContext>
  );
}

/**
 * Until a language is there, its direction, numbers and dates already are, so that nothing turns round when the words come;
 * should they never come, English ones stand.
 */
function useMessages(locale: Locale): { messages: Messages; complete: boolean } {
  const held = heldMessages(locale);
  const wordless = useMemo(() => createMessages(locale, undefined), [locale]);
  const [settled, setSettled] = useState<Locale | null>(null);
  useEffect(() => {
    if (held !== undefined) return;
    let current = true;
    const settle = () => current && setSettled(locale);
    loadMessages(locale).then(settle, settle);
    return () => {
      current = false;
    };
  }, [locale, held]);
  return { messages: held ?? wordless, complete: held !== undefined || settled === locale };
}

interface BoundaryProps {
  readonly given: Given;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly given: Given;
  readonly broken: boolean;
}

/** Shows a quiet message where a page threw, and tries again when the tag changes. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { given: this.props.given, broken: false };

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { broken: true };
  }

  static getDerivedStateFromProps({ given }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return given === state.given ? null : { given, broken: false };
  }

  override componentDidCatch(error: unknown): void {
    this.props.given.failed(error);
  }

  override render(): ReactNode {
    return this.state.broken ? <Failed retry={() => this.setState({ broken: false })} /> : this.props.children;
  }
}

/** What a site put into the tag stands in for it; else our own words. */
function Failed({ retry }: { readonly retry: () => void }) {
  const { msg } = useMsg();
  return (
    <slot>
      <p className="failed" role="status">
        {msg('This part could not be shown.')}{' '}
        <button type="button" className="link" onClick={retry}>
          {msg('Try again')}
        </button>
      </p>
    </slot>
  );
}
