/** The path of a request's address, as it was sent. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url;

/** Whether an address belongs to programs, who get a problem where a person gets the not-found page. */
export const isForPrograms = (url: string): boolean => /^\/(api|media|feeds|oembed)(\/|$)/.test(pathOf(url));
