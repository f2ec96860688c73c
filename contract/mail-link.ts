/**
 * Returns the mailto link of an email address. Characters that would add a subject or other recipients (`?bcc=`) are
 * percent-encoded; the `@` is not.
 */
export const mailLink = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
