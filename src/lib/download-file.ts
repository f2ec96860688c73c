/** Time until the download URL is revoked, ms: a download needs it until then. */
const URL_LIFETIME_MS = 60_000;

/** Downloads a text as a file. Telegram's web views do not save files. */
export function downloadTextFile(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), URL_LIFETIME_MS);
}
