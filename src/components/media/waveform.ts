/*
 * Waveform of a voice message: no source provides it, so it is computed from the audio file when the message is played.
 * At that time the file is fetched anyway.
 */

/** Limits of files whose waveform is computed. */
const MAX_FILE_BYTES = 1_500_000;
const MAX_DURATION_SECONDS = 600;
export const WAVEFORM_BARS = 56;
/** Lowest sample rate that every browser supports. It is sufficient for the waveform of a voice. */
const SAMPLE_RATE_HZ = 8000;

interface VoiceFile {
  readonly size?: number;
  readonly duration?: number;
}

/** Returns true if the file is small and short enough to compute its waveform. */
export const isWaveformCheap = ({ size = 0, duration = 0 }: VoiceFile): boolean =>
  size <= MAX_FILE_BYTES && duration <= MAX_DURATION_SECONDS;

/**
 * Fetches a sound and computes the loudness of each bar, from 0 to 1. Rejects if the sound cannot be fetched or
 * decoded.
 */
export async function fetchPeaks(src: string): Promise<readonly number[]> {
  const response = await fetch(src);
  const audio = await new OfflineAudioContext(1, 1, SAMPLE_RATE_HZ).decodeAudioData(await response.arrayBuffer());
  return toPeaks(audio.getChannelData(0));
}

/** Returns the perceived loudness of each bar, from 0 to 1, relative to the loudest sample. */
export function toPeaks(samples: Float32Array): readonly number[] {
  const samplesPerBar = Math.max(1, Math.floor(samples.length / WAVEFORM_BARS));
  const peaks = Array.from({ length: WAVEFORM_BARS }, (_, bar) => {
    const barSamples = samples.subarray(bar * samplesPerBar, (bar + 1) * samplesPerBar);
    return barSamples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  });
  // The minimum avoids a division by zero, and does not amplify noise in silence.
  const maxPeak = Math.max(...peaks, 0.01);
  // Loudness is perceived by ratios: a quarter of the amplitude seems half as loud.
  return peaks.map((peak) => Math.sqrt(peak / maxPeak));
}
