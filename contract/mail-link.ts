/** Returns the link to an email address. What would add a subject or other receivers (`?bcc=`) is percent-encoded. */
export const mailLink = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
