/** Chrome's own "slow 4G". */
export const NETWORK = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.44 * 1e6) / 8,
  uploadThroughput: (0.675 * 1e6) / 8,
};

/** A processor so many times slower than this one. */
export const SLOWDOWN = 4;
