/** Network throttling: the "slow 4G" preset of Chrome. The latency is in ms, the throughput in bytes per second. */
export const NETWORK = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.44 * 1e6) / 8,
  uploadThroughput: (0.675 * 1e6) / 8,
};

/** Slowdown of the CPU compared with this machine. */
export const SLOWDOWN = 4;
