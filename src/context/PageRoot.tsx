// Root component of every page in a tag: context providers, language and an error boundary.

import { type ComponentType, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { BackButtonContext } from '../components/back-button-context.ts';
import { type ContentStatus, ContentStatusContext } from '../components/content-status.ts';
import { BackgroundAudioContext } from '../components/media/background-audio.ts';
import { OfflineImageContext } from '../components/media/offline-image-context.ts';
import { createMessages, loadedMessages, loadMessages, type Messages, MessagesContext } from '../i18n/i18n.ts';
import { type Locale, pickLocale } from '../i18n/locale.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { type AppServices, ServicesContext } from './services.ts';

/** Props that a tag passes to its page. */
export interface PageInput {
  readonly Page: ComponentType<object>;
  readonly services: AppServices;
  /** Props of the page component. */
  readonly props: object;
  /** The tag's language, or that of the element that contains it. */
  readonly lang: string | undefined;
  readonly dir: 'ltr' | 'rtl' | 'auto' | undefined;
  /** Receives the state of the page's content; absent in the app. */
  readonly contentStatus?: ContentStatus | undefined;
  /** Called with an error that stopped the page. */
  onError(error: unknown): void;
}

/** Root of every tag: provides its services and language, and an error boundary that contains the page's errors. */
export const PageRoot = ({ pageInput }: { readonly pageInput: PageInput }) => (
  <PageFrame pageInput={pageInput} {...useMessages(pickLocale([pageInput.lang, ...navigator.languages]))} />
);

interface PageFrameProps {
  readonly pageInput: PageInput;
  readonly messages: Messages;
  /** True when its messages are loaded, or failed to load. */
  readonly complete: boolean;
}

/** Root of a page in a given language. The server renders this component. */
export function PageFrame({ pageInput, messages, complete }: PageFrameProps) {
  const { Page, props } = pageInput;
  // Reports again when the tag changes: its new page may have no part that reports a state.
  useLayoutEffect(() => pageInput.contentStatus?.report(complete ? 'rendered' : 'loading'), [pageInput, complete]);
  return (
    <ServicesContext value={pageInput.services}>
      <MessagesContext value={messages}>
        <div className="root" lang={messages.locale} dir={pageInput.dir ?? messages.dir}>
          <ContentStatusContext value={pageInput.contentStatus}>
            <ErrorBoundary resetKey={pageInput} onError={pageInput.onError}>
              <BackButtonContext value={pageInput.services.host.showBackButton}>
                <OfflineImageContext value={pageInput.services.environment.showOfflineImage}>
                  <BackgroundAudioContext value={pageInput.services.environment.backgroundSound}>
                    <Page {...props} />
                  </BackgroundAudioContext>
                </OfflineImageContext>
              </BackButtonContext>
            </ErrorBoundary>
          </ContentStatusContext>
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
  const loaded = loadedMessages(locale);
  const placeholder = useMemo(() => createMessages(locale, undefined), [locale]);
  const [settledLocale, setSettledLocale] = useState<Locale | null>(null);
  useEffect(() => {
    if (loaded !== undefined) return;
    let isCurrent = true;
    const handleSettled = () => isCurrent && setSettledLocale(locale);
    loadMessages(locale).then(handleSettled, handleSettled);
    return () => {
      isCurrent = false;
    };
  }, [locale, loaded]);
  return { messages: loaded ?? placeholder, complete: loaded !== undefined || settledLocale === locale };
}
