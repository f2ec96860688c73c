// Viewport events of Telegram: apply the data of an event to the viewport.

import type { Insets, Viewport } from '../platform.ts';

/** Returns a property of an event's data; undefined if there is none. */
export function eventField(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, name) ? Reflect.get(data, name) : undefined;
}

/** Validates a length in px; returns null if it is invalid. */
const toPixels = (raw: unknown): number | null => (typeof raw === 'number' && Number.isFinite(raw) && raw >= 0 ? raw : null);

/**
 * Returns the viewport after `viewport_changed`. The stable height changes only when the container reports a stable
 * state.
 */
export function changeViewport(previous: Viewport, data: unknown): Viewport {
  const height = toPixels(eventField(data, 'height'));
  if (height === null || height === 0) return previous;
  const stableHeight = eventField(data, 'is_state_stable') === true ? height : previous.stableHeight;
  return { ...previous, height, stableHeight, expanded: eventField(data, 'is_expanded') === true };
}

/** Returns the viewport after a change of a safe area. Sides that the event does not name keep their values. */
export function changeInsets(previous: Viewport, area: 'safeArea' | 'contentSafeArea', data: unknown): Viewport {
  const side = (name: keyof Insets) => toPixels(eventField(data, name)) ?? previous[area][name];
  return { ...previous, [area]: { top: side('top'), right: side('right'), bottom: side('bottom'), left: side('left') } };
}
