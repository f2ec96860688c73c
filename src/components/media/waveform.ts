/** No source tells a voice's waveform, so it is read from the sound itself, once it is played: that much is fetched anyway. */
const MOST_BYTES = 1_500_000;
const MOST_SECONDS = 600;
export const BARS = 56;
/** The lowest rate that every browser decodes to; the shape of a voice needs no more. */
const RATE = 8000;

interface Voice {
  readonly size?: number;
  readonly duration?: number;
}

/** Whether reading the waveform costs little enough. */
export const isCheap = ({ size = 0, duration = 0 }: Voice): boolean => size <= MOST_BYTES && duration <= MOST_SECONDS;

/** Reads how loud a sound is in each of its parts, from 0 to 1; rejects where it cannot be had or decoded. */
export async function readPeaks(src: string): Promise<readonly number[]> {
  const answer = await fetch(src);
  const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await answer.arrayBuffer());
  return toPeaks(sound.getChannelData(0));
}

/** Gives the loudest of each part, against the loudest of all. */
export function toPeaks(samples: Float32Array): readonly number[] {
  const length = Math.max(1, Math.floor(samples.length / BARS));
  const peaks = Array.from({ length: BARS }, (_, bar) =>
    samples.subarray(bar * length, (bar + 1) * length).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  );
  const loudest = Math.max(...peaks, 0.01);
  // The ear hears by ratios: what is a quarter as strong seems half as loud.
  return peaks.map((peak) => Math.sqrt(peak / loudest));
}
