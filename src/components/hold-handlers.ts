/** Returns the handlers that stop the timer of a message while the pointer or the focus is on it. */
export const holdHandlers = (hold: (isHeld: boolean) => void) => ({
  onPointerEnter: () => hold(true),
  onPointerLeave: () => hold(false),
  onFocus: () => hold(true),
  onBlur: () => hold(false),
});
