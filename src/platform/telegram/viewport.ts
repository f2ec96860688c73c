import type { Insets, Viewport } from '../platform.ts';

/** Reads a property of an event's data. */
export function field(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, name) ? Reflect.get(data, name) : undefined;
}

const pixels = (raw: unknown): number | null => (typeof raw === 'number' && Number.isFinite(raw) && raw >= 0 ? raw : null);

/** The viewport after viewport_changed: the stable height moves only when the container says that it has come to rest. */
export function changeViewport(before: Viewport, data: unknown): Viewport {
  const height = pixels(field(data, 'height'));
  if (height === null || height === 0) return before;
  const stableHeight = field(data, 'is_state_stable') === true ? height : before.stableHeight;
  return { ...before, height, stableHeight, expanded: field(data, 'is_expanded') === true };
}

/** The viewport after one of the safe areas changed; sides that are not named stay. */
export function changeInsets(before: Viewport, area: 'safeArea' | 'contentSafeArea', data: unknown): Viewport {
  const side = (name: keyof Insets) => pixels(field(data, name)) ?? before[area][name];
  return { ...before, [area]: { top: side('top'), right: side('right'), bottom: side('bottom'), left: side('left') } };
}
