import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Adds a style sheet to the root that an element stands in, for a part whose styles come with it. */
export function useStyle(text: string): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const root = element.current?.getRootNode();
    if (!(root instanceof ShadowRoot)) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    return () => {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
    };
  }, [text]);
  return element;
}
