import { AV_DISPOSITION_ATTACHED_PIC } from 'node-av'
import type { Demuxer, Stream } from 'node-av'
import { lengthOf } from './stream-length.ts'
import type { StreamLength } from './stream-length.ts'
import { Unfit } from './unfit.ts'

function isPicture(stream: Stream): boolean {
  return (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) !== 0
}

/** The first stream of a type that is no cover picture; null when there is none. */
export function streamOf(file: Demuxer, type: number): Stream | null {
  return file.streams.find((stream) => stream.codecpar.codecType === type && !isPicture(stream)) ?? null
}

/**
 * The length of a stream in seconds, by sum or span, whichever is longer: players show a file with a gap as long as it
 * spans. Throws Unfit.
 */
export async function secondsOf(file: Demuxer, stream: Stream, maxSeconds: number): Promise<number> {
  const longest = ({ sum, span }: StreamLength): number => Math.max(sum, span)
  const seconds = longest(await lengthOf(file, stream.index, (length) => longest(length) > maxSeconds))
  if (seconds > maxSeconds) throw new Unfit('too-long')
  return seconds
}
