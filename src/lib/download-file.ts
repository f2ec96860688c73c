/** Downloads keep their address for so long, ms. */
const LONG_ENOUGH = 60_000;

/** Has the browser save a text as a file. Telegram's web views save none. */
export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LONG_ENOUGH);
}
