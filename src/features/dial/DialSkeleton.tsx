import { useContentReport } from '../../components/content-status.ts';
import { LatestPostsSkeleton } from './LatestPosts.tsx';

/** Dial skeleton, shown before the line-up is loaded: the same space without text. */
export function DialSkeleton() {
  useContentReport('loading');
  return (
    <div className="dial" aria-busy="true">
      <div className="dial-now">
        <div className="card card-skeleton">
          <div className="card-page">
            <div className="card-head">
              <span className="bone bone-number" />
              <span className="bone bone-picture" />
            </div>
            <span className="bone bone-name" />
            <p className="card-about">
              <span className="bone bone-line" />
            </p>
            <ul className="card-posts">
              <LatestPostsSkeleton />
            </ul>
          </div>
        </div>
        <div className="remote">
          <span className="round bone" />
          <span className="bone bone-open" />
          <span className="round bone" />
          <p className="remote-last" />
        </div>
      </div>
      <div className="dial-lineup">
        <div className="section-head" />
        <div className="rows">
          {[1, 2, 3, 4, 5].map((row) => (
            <div key={row} className="row">
              <span className="row-main">
                <span className="row-number" />
                <span className="bone bone-avatar" />
                <span className="row-text">
                  <span className="bone bone-title" />
                  <span className="bone bone-about" />
                </span>
              </span>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
