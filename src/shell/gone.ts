/** Says whether the server had a part of the app no more: this page is then of a build that has gone. Not every browser tells. */
export const isGone = (entry: PerformanceEntry): boolean =>
  Reflect.get(entry, 'responseStatus') === 404 && /\/assets\//.test(entry.name);
