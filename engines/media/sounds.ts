import { statSync } from 'node:fs'
import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO, AV_CODEC_ID_OPUS, Encoder, FF_ENCODER_LIBOPUS } from 'node-av'
import type { Demuxer, Frame, Stream } from 'node-av'
import { bitsFor, OPUS_BITS } from './bit-rates.ts'
import { AUDIO_CODECS } from './codecs.ts'
import { filesOf, linksOf } from './ogg-chain.ts'
import type { Link } from './ogg-chain.ts'
import { type Opened, withOpened } from './opened.ts'
import type { MediaResult, MediaTask } from './protocol/converting.ts'
import { secondsOf, streamOf } from './streams.ts'
import { pump, setOptions, Sink, Track } from './tracks.ts'
import { Unfit } from './unfit.ts'
import { straightenWave } from './wave-file.ts'
import { waveformOf } from './waveform.ts'

type AudioTask = Extract<MediaTask, { task: 'audio' }>
/** `links` are the links of an Ogg file; empty for any other format. */
type AudioWork = AudioTask & { readonly links: readonly Link[] }

/** Opus always runs at 48 kHz, and the upstream accepts only mono OGG/Opus as voice notes. */
const TO_MONO_48K = 'aresample=48000,aformat=sample_fmts=s16:channel_layouts=mono'
/** Samples at 48 kHz in one value of the loudness curve: 10 ms. */
const CURVE_SAMPLES = 480
const SAMPLES_PER_MS = 48

/** Inspects audio, and writes it as a voice note when it is not one already. Throws Unfit. */
export async function makeAudio(order: AudioTask): Promise<MediaResult> {
  const straight = order.format === 'wav' ? await straightenWave(order.path, order.straightPath) : order
  if ('fault' in straight) throw new Unfit(straight.fault)
  const links = order.format === 'ogg' ? await linksOf(order.path) : []
  const work = { ...order, path: straight.path, links }
  const looked = await lookAtAudio(work)
  return withOpened((opened) => transcodeAudio(work, opened, looked))
}

/** The paths to read: the file, or each stream of a chained Ogg file. */
function partsOf({ path, links, straightPath }: AudioWork): Iterable<string> {
  return filesOf(path, links, straightPath)
}

/**
 * Opens the audio stream of a file. Throws Unfit; null when one of several parts holds none, because the other parts
 * are still usable.
 */
function openSound(
  opened: Opened,
  path: string,
  { format, links }: AudioWork,
): { readonly file: Demuxer; readonly stream: Stream } | null {
  try {
    const file = opened.file(path, format)
    if (streamOf(file, AVMEDIA_TYPE_VIDEO)) throw new Unfit('has-video')
    const stream = streamOf(file, AVMEDIA_TYPE_AUDIO)
    if (!stream || !AUDIO_CODECS.has(stream.codecpar.codecId)) throw new Unfit('no-audio')
    return { file, stream }
  } catch (error) {
    if (links.length < 2 || (error instanceof Unfit && error.fault === 'has-video')) throw error
    return null
  }
}

/** The duration, and whether the file can be sent unchanged: of several streams some players play only the first. */
async function lookAtAudio(work: AudioWork): Promise<{ seconds: number; isFit: boolean }> {
  let seconds = 0
  let isFit = work.links.length === 1
  for (const path of partsOf(work)) {
    await withOpened(async (opened) => {
      const sound = openSound(opened, path, work)
      if (!sound) return
      const { file, stream } = sound
      isFit &&=
        stream.codecpar.codecId === AV_CODEC_ID_OPUS && stream.codecpar.channels === 1 && file.streams.length === 1
      seconds += await secondsOf(file, stream, work.maxSeconds - seconds)
    })
  }
  return { seconds, isFit }
}

async function transcodeAudio(
  work: AudioWork,
  opened: Opened,
  { seconds, isFit }: { seconds: number; isFit: boolean },
): Promise<MediaResult> {
  let samples = 0
  const curve = new Curve()
  const sink = isFit || work.outPath === null ? null : new Sink(opened.muxer(work.outPath, 'ogg'))
  const encode = sink?.add(
    opened.own(
      Encoder.createSync(FF_ENCODER_LIBOPUS, {
        bitrate: bitsFor(seconds, work.maxBytes, OPUS_BITS),
        configure: (context) => setOptions(context, { application: 'audio', vbr: 'on', frame_duration: 20 }),
      }),
    ),
  )
  const take = (frame: Frame): void => {
    samples += frame.nbSamples
    // The earlier check adds durations that the file states; this one counts the samples that came out.
    if (samples > (work.maxSeconds + 1) * 48_000) throw new Unfit('too-long')
    curve.add(frame)
    encode?.(frame)
  }
  const isEnough = (): boolean => sink !== null && sink.isOver(work.maxBytes)
  for (const path of partsOf(work)) {
    await withOpened(async (part) => {
      const sound = openSound(part, path, work)
      if (sound && !isEnough()) await pump(sound.file, [new Track(sound.stream, part, TO_MONO_48K, take)], isEnough)
    })
  }
  if (samples === 0) throw new Unfit('no-audio')
  encode?.(null)
  opened.close()
  const sound = { durationMs: Math.round(samples / SAMPLES_PER_MS), waveform: waveformOf(curve.peaks) }
  return { task: 'audio', sizeBytes: sink && work.outPath !== null ? statSync(work.outPath).size : null, sound }
}

/** The peaks of a signal, one for each 10 ms. */
class Curve {
  readonly peaks: number[] = []
  #peak = 0
  #count = 0

  add(frame: Frame): void {
    const bytes = frame.data?.[0]
    if (!bytes) return
    for (let at = 0; at < frame.nbSamples; at++) {
      this.#peak = Math.max(this.#peak, Math.abs(bytes.readInt16LE(at * 2)))
      if (++this.#count % CURVE_SAMPLES === 0) {
        this.peaks.push(this.#peak)
        this.#peak = 0
      }
    }
  }
}
