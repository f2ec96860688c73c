import { Component, type ReactNode } from 'react';
import { useContentReport } from '../components/content-status.ts';
import { useMsg } from '../i18n/i18n.ts';

interface ErrorBoundaryProps {
  /** The boundary tries again when this object changes. */
  readonly resetKey: object;
  onError(error: unknown): void;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly resetKey: object;
  readonly broken: boolean;
}

/** Error boundary: shows a short message if a page throws, and tries again when `resetKey` changes. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { resetKey: this.props.resetKey, broken: false };

  static getDerivedStateFromError(): Partial<ErrorBoundaryState> {
    return { broken: true };
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: ErrorBoundaryState): ErrorBoundaryState | null {
    return resetKey === state.resetKey ? null : { resetKey, broken: false };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    return this.state.broken ? <PageFailed retry={() => this.setState({ broken: false })} /> : this.props.children;
  }
}

/** Fallback content: the content that a site put into the tag, else our own message. */
function PageFailed({ retry }: { readonly retry: () => void }) {
  const { msg } = useMsg();
  useContentReport('failed');
  return (
    <slot>
      <p className="failed" role="status">
        {msg('This part could not be shown.')}{' '}
        <button type="button" className="link" onClick={retry}>
          {msg('Try again')}
        </button>
      </p>
    </slot>
  );
}
