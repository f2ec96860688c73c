/**
 * Keymap of the media viewer: the action of a key. `move` pans the picture if it can move that way, otherwise goes to
 * another picture; `go` jumps; `zoom` scales; `reset` shows the complete picture.
 */
export type ViewerCommand =
  | { readonly type: 'move'; readonly x: -1 | 0 | 1; readonly y: -1 | 0 | 1 }
  | { readonly type: 'go'; readonly to: 'first' | 'last' }
  | { readonly type: 'zoom'; readonly factor: number }
  | { readonly type: 'reset' };

const ZOOM_STEP = 1.5;

const KEY_COMMANDS: Readonly<Record<string, ViewerCommand>> = {
  ArrowRight: { type: 'move', x: 1, y: 0 },
  ArrowLeft: { type: 'move', x: -1, y: 0 },
  ArrowUp: { type: 'move', x: 0, y: -1 },
  ArrowDown: { type: 'move', x: 0, y: 1 },
  Home: { type: 'go', to: 'first' },
  End: { type: 'go', to: 'last' },
  '+': { type: 'zoom', factor: ZOOM_STEP },
  '=': { type: 'zoom', factor: ZOOM_STEP },
  '-': { type: 'zoom', factor: 1 / ZOOM_STEP },
  '0': { type: 'reset' },
};

interface KeyPress extends Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'> {
  readonly target: EventTarget | null;
}

/**
 * Returns the action of a key; null for a key that the viewer does not handle. A video and a scrollable text have their
 * own keys.
 */
export function commandForKey({ key, target, ctrlKey, metaKey, altKey }: KeyPress): ViewerCommand | null {
  if (ctrlKey || metaKey || altKey || target instanceof HTMLVideoElement) return null;
  const command = Object.hasOwn(KEY_COMMANDS, key) ? KEY_COMMANDS[key] : undefined;
  if (command === undefined) return null;
  const isInCaption = target instanceof Element && target.closest('.viewer-caption') !== null;
  const isScrollKey = command.type === 'go' || (command.type === 'move' && command.y !== 0);
  return isInCaption && isScrollKey ? null : command;
}
