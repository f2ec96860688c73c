import type { ToastContent } from '../../posts/use-toast.ts';

/** What every section of the operators' page is given. */
export interface SectionProps {
  /** Says what was done or what failed. */
  readonly show: (toast: ToastContent | null) => void;
  /** An operator of the whole site, not of single channels. */
  readonly isOperator: boolean;
}
