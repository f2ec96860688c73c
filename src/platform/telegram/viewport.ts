import type { Insets, Viewport } from '../platform.ts';

/** Returns a property of an event's data. */
export function eventField(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, name) ? Reflect.get(data, name) : undefined;
}

const pixels = (raw: unknown): number | null => (typeof raw === 'number' && Number.isFinite(raw) && raw >= 0 ? raw : null);

/**
 * Returns the viewport after `viewport_changed`. The stable height changes only when the container reports a stable state.
 */
export function changeViewport(before: Viewport, data: unknown): Viewport {
  const height = pixels(eventField(data, 'height'));
  if (height === null || height === 0) return before;
  const stableHeight = eventField(data, 'is_state_stable') === true ? height : before.stableHeight;
  return { ...before, height, stableHeight, expanded: eventField(data, 'is_expanded') === true };
}

/** Returns the viewport after a change of a safe area. Sides that the event does not name keep their values. */
export function changeInsets(before: Viewport, area: 'safeArea' | 'contentSafeArea', data: unknown): Viewport {
  const side = (name: keyof Insets) => pixels(eventField(data, name)) ?? before[area][name];
  return { ...before, [area]: { top: side('top'), right: side('right'), bottom: side('bottom'), left: side('left') } };
}
