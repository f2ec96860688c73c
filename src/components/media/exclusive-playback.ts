/** What sounds in this window. A window has one pair of loudspeakers, so this one note belongs to the module. */
let sounding: WeakRef<HTMLMediaElement> | null = null;

/** Stops what sounded when something else begins, wherever on the page; silent loops go on. */
export function stopOthers({ currentTarget: started }: { readonly currentTarget: HTMLMediaElement }): void {
  if (started.muted) return;
  const former = sounding?.deref();
  if (former !== started) former?.pause();
  sounding = new WeakRef(started);
}
