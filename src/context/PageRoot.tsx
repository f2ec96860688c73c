// Root component of every page in a tag: context providers, language and error boundary.

import { Component, type ComponentType, type ReactNode, useEffect, useMemo, useState } from 'react';
import { BackContext } from '../components/back-button-context.ts';
import { BackgroundSoundContext } from '../components/media/background-audio.ts';
import { KeptContext } from '../components/media/offline-image-context.ts';
import { createMessages, heldMessages, loadMessages, type Messages, MessagesContext, useMsg } from '../i18n/i18n.ts';
import { type Locale, pickLocale } from '../i18n/locale.ts';
import { type Services, ServicesContext } from './services.ts';

/** Props that a tag passes to its page. */
export interface Given {
  readonly Page: ComponentType<object>;
  readonly services: Services;
  /** Props of the page component. */
  readonly props: object;
  /** The tag's language, or that of the element that contains it. */
  readonly lang: string | undefined;
  readonly dir: 'ltr' | 'rtl' | 'auto' | undefined;
  /** Called with an error that stopped the page. */
  failed(error: unknown): void;
}

/** Root of every tag: provides its services and language, and an error boundary that contains the page's errors. */
export const PageRoot = ({ given }: { readonly given: Given }) => (
  <PageFrame given={given} {...useMessages(pickLocale([given.lang, ...navigator.languages]))} />
);

interface PageFrameProps {
  readonly given: Given;
  readonly messages: Messages;
  /** True when its messages are loaded, or failed to load. */
  readonly complete: boolean;
}

/** Root of a page in a given language. The server renders this component. */
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
 * Returns the messages of a language. While they load, direction, number and date formats of the language already apply, so
 * that the layout does not flip when the messages arrive. If loading fails, the English messages are shown.
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

/** Error boundary: shows a short message if a page throws, and tries again when the tag changes. */
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

/** Fallback content: the content that a site put into the tag, else our own message. */
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
