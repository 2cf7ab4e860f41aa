// SPDX-License-Identifier: MIT

/** Why a WAV file is given to no decoder: its chunks cannot be read, or its samples are big-endian and not PCM. */
export type WaveFault = 'wave-chunks' | 'wave-samples'
