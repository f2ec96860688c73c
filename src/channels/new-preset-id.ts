/** Makes the id of a preset: no two devices make the same; a page without https has no randomUUID. */
export const newPresetId = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 12)}`;
