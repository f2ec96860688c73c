import { focusSuccessor } from '../../components/focus/focus-successor.ts';

/**
 * Focus fallback of the layout: ref of a control that may disappear while it has the focus. The page then receives it.
 */
export const pageFocusSuccessor = focusSuccessor(['main']);
