/** The element that plays with sound. A window has one audio output, so this state belongs to the module. */
let playingMedia: WeakRef<HTMLMediaElement> | null = null;

/**
 * Exclusive playback: pauses the element that plays with sound when another one starts, anywhere on the page. Muted
 * loops continue.
 */
export function pauseOtherPlayers({ currentTarget: started }: { readonly currentTarget: HTMLMediaElement }): void {
  if (started.muted) return;
  const previous = playingMedia?.deref();
  if (previous !== started) previous?.pause();
  playingMedia = new WeakRef(started);
}
