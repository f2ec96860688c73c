import { focusSuccessor } from '../../components/focus/focus-successor.ts';

/** Ref of a layout control that disappears while it has the focus: the page receives the focus. */
export const pageFocusSuccessor = focusSuccessor(['main']);
