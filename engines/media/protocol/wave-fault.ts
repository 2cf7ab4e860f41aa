// SPDX-License-Identifier: MIT

/**
 * What is wrong with a WAV file that no decoder is given: its chunks cannot be read; its samples are big-endian and no
 * PCM.
 */
export type WaveFault = 'wave-chunks' | 'wave-samples'
