import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useServices } from '../context/services.ts';

/** Adds a style sheet to the shadow root of an element, for a lazily loaded component that has its own styles. */
export function useStylesheet(text: string): RefObject<HTMLDivElement | null> {
  const { environment } = useServices();
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const root = element.current?.getRootNode();
    if (!(root instanceof ShadowRoot)) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(environment.adaptStyleSheet?.(text) ?? text);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    return () => {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [text, environment]);
  return element;
}
