import { leavesFocusTo } from '../../components/focus/focus-successor.ts';

/** The ref of a control of the layout that disappears while it has the focus: the page takes the focus. */
export const leavesFocusToPage = leavesFocusTo(['main']);
