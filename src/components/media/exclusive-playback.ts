/** The element that is playing with sound. A window has one audio output, so this state belongs to the module. */
let sounding: WeakRef<HTMLMediaElement> | null = null;

/**
 * Exclusive playback: pauses the element that plays with sound when another one starts, anywhere on the page. Muted loops
 * continue.
 */
export function stopOthers({ currentTarget: started }: { readonly currentTarget: HTMLMediaElement }): void {
  if (started.muted) return;
  const former = sounding?.deref();
  if (former !== started) former?.pause();
  sounding = new WeakRef(started);
}
