/**
 * Waveform of a voice message: no source provides it, so it is computed from the audio file when it is played. The file is
 * fetched then anyway.
 */
const MAX_FILE_BYTES = 1_500_000;
const MAX_DURATION_SECONDS = 600;
export const WAVEFORM_BARS = 56;
/** Lowest sample rate to which every browser decodes. The waveform of a voice needs no more. */
const SAMPLE_RATE_HZ = 8000;

interface VoiceFile {
  readonly size?: number;
  readonly duration?: number;
}

/** Returns true if the file is small and short enough to compute its waveform. */
export const isWaveformCheap = ({ size = 0, duration = 0 }: VoiceFile): boolean =>
  size <= MAX_FILE_BYTES && duration <= MAX_DURATION_SECONDS;

/** Computes how loud each part of a sound is, from 0 to 1. Rejects if it cannot be fetched or decoded. */
export async function fetchPeaks(src: string): Promise<readonly number[]> {
  const response = await fetch(src);
  const audio = await new OfflineAudioContext(1, 1, SAMPLE_RATE_HZ).decodeAudioData(await response.arrayBuffer());
  return toPeaks(audio.getChannelData(0));
}

/** Returns the maximum of each part relative to the maximum of all. */
export function toPeaks(samples: Float32Array): readonly number[] {
  const length = Math.max(1, Math.floor(samples.length / WAVEFORM_BARS));
  const peaks = Array.from({ length: WAVEFORM_BARS }, (_, bar) =>
    samples.subarray(bar * length, (bar + 1) * length).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
  );
  const loudest = Math.max(...peaks, 0.01);
  // Loudness is perceived by ratios: a quarter of the amplitude seems half as loud.
  return peaks.map((peak) => Math.sqrt(peak / loudest));
}
