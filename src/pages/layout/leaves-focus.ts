import { leavesFocusTo } from '../../ui/heir.ts';

/** The ref of a control of the layout that disappears while it has the focus: the page takes the focus. */
export const leavesFocusToPage = leavesFocusTo(['main']);
