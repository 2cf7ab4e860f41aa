/**
 * Program that looks at and converts untrusted files, away from whoever sends them. It gets paths of local files only,
 * opens them with a named demuxer or image loader and no protocol but `file`, and holds no secret (its environment is empty).
 */
import { statSync } from 'node:fs'
import {
  AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO, AV_CODEC_ID_AAC, AV_CODEC_ID_ADPCM_IMA_WAV, AV_CODEC_ID_ADPCM_MS, AV_CODEC_ID_ALAC, AV_CODEC_ID_AMR_WB,
  AV_CODEC_ID_AV1, AV_CODEC_ID_FLAC, AV_CODEC_ID_H263, AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MJPEG, AV_CODEC_ID_MP1,
  AV_CODEC_ID_MP2, AV_CODEC_ID_MP3, AV_CODEC_ID_MPEG4, AV_CODEC_ID_OPUS, AV_CODEC_ID_PCM_ALAW, AV_CODEC_ID_PCM_F32LE, AV_CODEC_ID_PCM_F64LE,
  AV_CODEC_ID_PCM_MULAW, AV_CODEC_ID_PCM_S16BE, AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S24LE, AV_CODEC_ID_PCM_S32LE, AV_CODEC_ID_PCM_U8,
  AV_CODEC_ID_PRORES, AV_CODEC_ID_VORBIS, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_DISPOSITION_ATTACHED_PIC, AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P,
  AV_PKT_DATA_DISPLAYMATRIX, Decoder, Demuxer, Encoder, FF_ENCODER_AAC, FF_ENCODER_LIBOPUS, FF_ENCODER_LIBX264, FilterAPI, Muxer,
} from 'node-av'
import type { CodecContext, Frame, Packet, Stream } from 'node-av'
import { OPUS_BITS, X264_BITS, bitsFor } from './bit-rates.ts'
import { liveAsChild } from './child.ts'
import { filesOf, linksOf } from './ogg-chain.ts'
import type { Link } from './ogg-chain.ts'
import { checkPicture, makeLogo, makePicture } from './pictures.ts'
import type { MediaFormat, MediaJobOrder, MediaReport, MediaResult, MediaTask } from './protocol/converting.ts'
import { lengthOf, turn } from './stream-length.ts'
import type { StreamLength } from './stream-length.ts'
import { Unfit } from './unfit.ts'
import { straightenWave } from './wave-file.ts'
import { waveformOf } from './waveform.ts'

type AudioTask = Extract<MediaTask, { task: 'audio' }>
/** `links`: of an Ogg file. */
type AudioWork = AudioTask & { readonly links: readonly Link[] }
type VideoTask = Extract<MediaTask, { task: 'video' }>

/** Opus always runs at 48 kHz; upstream takes OGG/Opus mono alone for voice notes. */
const TO_MONO_48K = 'aresample=48000,aformat=sample_fmts=s16:channel_layouts=mono'
/** Samples of 48 kHz behind one value of the loudness curve: 10 ms. */
const CURVE_SAMPLES = 480
const SAMPLES_PER_MS = 48
const AAC_BITS = 96_000
/** Our choice: the long side of a converted video. */
const LONG_SIDE = 1_280
const MOST_FRAMES_PER_SECOND = 30
/** Our choice: 8K is the largest picture decoded. */
const MOST_VIDEO_PIXELS = 7_680 * 4_320
/** Our choice: a result is written up to this many times its ceiling, so that its size can be told. */
const OVERSIZE = 2

/** The package leaves this name out; in FFmpeg it stands right before its wide-band kin. */
const AMR_NB = AV_CODEC_ID_AMR_WB - 1
const AUDIO_CODECS: ReadonlySet<number> = new Set([
  AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC, AMR_NB, AV_CODEC_ID_AMR_WB, AV_CODEC_ID_FLAC, AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3,
  AV_CODEC_ID_OPUS, AV_CODEC_ID_VORBIS, AV_CODEC_ID_PCM_U8, AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S16BE, AV_CODEC_ID_PCM_S24LE,
  AV_CODEC_ID_PCM_S32LE, AV_CODEC_ID_PCM_F32LE, AV_CODEC_ID_PCM_F64LE, AV_CODEC_ID_PCM_ALAW, AV_CODEC_ID_PCM_MULAW, AV_CODEC_ID_ADPCM_MS,
  AV_CODEC_ID_ADPCM_IMA_WAV,
])
const VIDEO_CODECS: ReadonlySet<number> = new Set([
  AV_CODEC_ID_AV1, AV_CODEC_ID_H263, AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MJPEG, AV_CODEC_ID_MPEG4, AV_CODEC_ID_PRORES, AV_CODEC_ID_VP8,
  AV_CODEC_ID_VP9,
])

liveAsChild()
process.on('message', (order: MediaJobOrder) => void run(order))
report({ type: 'ready' })

async function run({ jobId, work }: MediaJobOrder): Promise<void> {
  try {
    report({ type: 'done', jobId, result: await perform(work) })
  } catch (error) {
    report({ type: 'failed', jobId, fault: error instanceof Unfit ? error.fault : 'unreadable' })
  }
}

function perform(work: MediaTask): Promise<MediaResult> {
  switch (work.task) {
    case 'image': return checkPicture(work)
    case 'picture': return makePicture(work)
    case 'logo': return makeLogo(work)
    case 'audio': return makeAudio(work)
    case 'video': return makeVideo(work)
  }
}

function report(message: MediaReport): void {
  if (process.connected) process.send?.(message)
}

/** Opens what is to be closed together, and closes it in the reverse order. */
class Opened {
  readonly #parts: (() => void)[] = []

  file(path: string, format: MediaFormat): Demuxer {
    const file = Demuxer.openSync(path, { format, options: { protocol_whitelist: 'file' } })
    this.#parts.unshift(() => file.closeSync())
    return file
  }

  muxer(path: string, format: 'ogg' | 'mp4'): Muxer {
    const muxer = Muxer.openSync(path, { format, useSyncQueue: false, ...(format === 'mp4' ? { options: { movflags: '+faststart' } } : {}) })
    this.#parts.unshift(() => muxer.closeSync())
    return muxer
  }

  own<T extends { close(): void }>(part: T): T {
    this.#parts.unshift(() => part.close())
    return part
  }

  close(): void {
    for (const close of this.#parts.splice(0)) close()
  }
}

async function withOpened<T>(use: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = new Opened()
  try {
    return await use(opened)
  } finally {
    opened.close()
  }
}

function isPicture(stream: Stream): boolean {
  return (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) !== 0
}

function streamOf(file: Demuxer, type: number): Stream | null {
  return file.streams.find((stream) => stream.codecpar.codecType === type && !isPicture(stream)) ?? null
}

/** How long a stream is, in seconds, whichever way it is taken: a file whose packets leave a hole is shown as long as it spans. Throws Unfit. */
async function secondsOf(file: Demuxer, stream: Stream, maxSeconds: number): Promise<number> {
  const longest = ({ sum, span }: StreamLength): number => Math.max(sum, span)
  const seconds = longest(await lengthOf(file, stream.index, (length) => longest(length) > maxSeconds))
  if (seconds > maxSeconds) throw new Unfit('too-long')
  return seconds
}

/**
 * Sets options of a codec. The package's own `options` for codecs are freed twice, by FFmpeg and at the next garbage collection
 * (node-av 6.1.1, seen as crashes); this way none are.
 */
function set(context: CodecContext, options: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (context.setOption(name, String(value)) < 0) throw new Error(`codec option ${name} was refused`)
  }
}

/** One stream on its way: decoded, filtered and, with an encoder, written. */
class Track {
  readonly stream: Stream
  readonly #decoder: Decoder
  readonly #filter: FilterAPI
  readonly #onFrame: (frame: Frame) => void

  constructor(stream: Stream, opened: Opened, filter: string, onFrame: (frame: Frame) => void) {
    this.stream = stream
    // A damaged packet is skipped, so that a file cut in the middle goes as far as it goes.
    const isVideo = stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO
    this.#decoder = opened.own(Decoder.createSync(stream, {
      exitOnError: false, threadCount: 1, ...(isVideo ? { configure: (context) => set(context, { max_pixels: MOST_VIDEO_PIXELS }) } : {}),
    }))
    this.#filter = opened.own(FilterAPI.create(filter, { threads: 1 }))
    this.#onFrame = onFrame
  }

  get decoder(): Decoder {
    return this.#decoder
  }

  get filter(): FilterAPI {
    return this.#filter
  }

  push(packet: Packet): void {
    this.#take(this.#decoder.decodeAllSync(packet))
  }

  finish(): void {
    this.#take(this.#decoder.decodeAllSync(null))
    for (const frame of this.#filter.flushFramesSync()) this.#give(frame)
  }

  #take(frames: readonly Frame[]): void {
    for (const frame of frames) {
      for (const filtered of this.#filter.processAllSync(frame)) this.#give(filtered)
      frame.free()
    }
  }

  #give(frame: Frame): void {
    this.#onFrame(frame)
    frame.free()
  }
}

/** Feeds all tracks from one pass over the file. */
async function pump(file: Demuxer, tracks: readonly Track[], isEnough: () => boolean): Promise<void> {
  for (const packet of file.packetsSync()) {
    if (!packet) break
    tracks.find(({ stream }) => stream.index === packet.streamIndex)?.push(packet)
    packet.free()
    if (isEnough()) return
    await turn()
  }
  for (const track of tracks) track.finish()
}

/** Writes what encoders make and counts it. */
class Sink {
  readonly #muxer: Muxer
  sizeBytes = 0

  constructor(muxer: Muxer) {
    this.#muxer = muxer
  }

  add(encoder: Encoder): (frame: Frame | null) => void {
    const index = this.#muxer.addStream(encoder)
    return (frame) => {
      for (const packet of encoder.encodeAllSync(frame)) {
        this.sizeBytes += packet.size
        this.#muxer.writePacketSync(packet, index)
        packet.free()
      }
    }
  }
}

async function makeAudio(order: AudioTask): Promise<MediaResult> {
  const straight = order.format === 'wav' ? await straightenWave(order.path, order.straightPath) : order
  if ('fault' in straight) throw new Unfit(straight.fault)
  const links = order.format === 'ogg' ? await linksOf(order.path) : []
  const work = { ...order, path: straight.path, links }
  const looked = await lookAtAudio(work)
  return withOpened((opened) => transcodeAudio(work, opened, looked))
}

/** The file, or the streams one behind the other that it holds. */
function partsOf({ path, links, straightPath }: AudioWork): Iterable<string> {
  return filesOf(path, links, straightPath)
}

/** The sound of a file. Throws Unfit; null of a part of several that holds none, which costs itself alone. */
function openSound(opened: Opened, path: string, { format, links }: AudioWork): { readonly file: Demuxer, readonly stream: Stream } | null {
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

/** How long a sound is, and whether it may go as it is: players hear the first of several streams, or all. */
async function lookAtAudio(work: AudioWork): Promise<{ seconds: number, isFit: boolean }> {
  let seconds = 0
  let isFit = work.links.length === 1
  for (const path of partsOf(work)) {
    await withOpened(async (opened) => {
      const sound = openSound(opened, path, work)
      if (!sound) return
      const { file, stream } = sound
      isFit &&= stream.codecpar.codecId === AV_CODEC_ID_OPUS && stream.codecpar.channels === 1 && file.streams.length === 1
      seconds += await secondsOf(file, stream, work.maxSeconds - seconds)
    })
  }
  return { seconds, isFit }
}

async function transcodeAudio(work: AudioWork, opened: Opened, { seconds, isFit }: { seconds: number, isFit: boolean }): Promise<MediaResult> {
  let samples = 0
  const curve = new Curve()
  const sink = isFit || work.outPath === null ? null : new Sink(opened.muxer(work.outPath, 'ogg'))
  const encode = sink?.add(opened.own(Encoder.createSync(FF_ENCODER_LIBOPUS, {
    bitrate: bitsFor(seconds, work.maxBytes, OPUS_BITS),
    configure: (context) => set(context, { application: 'audio', vbr: 'on', frame_duration: 20 }),
  })))
  const take = (frame: Frame): void => {
    samples += frame.nbSamples
    // The check before adds up what the file states; this one counts what came out.
    if (samples > (work.maxSeconds + 1) * 48_000) throw new Unfit('too-long')
    curve.add(frame)
    encode?.(frame)
  }
  const isEnough = (): boolean => sink !== null && sink.sizeBytes > OVERSIZE * work.maxBytes
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

/** The peaks of a signal, one per 10 ms. */
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

async function makeVideo(work: VideoTask): Promise<MediaResult> {
  const { seconds, isFit } = await withOpened((opened) => lookAtVideo(work, opened))
  if (work.convert === 'never' || (work.convert === 'unless-fit' && isFit)) return { task: 'video', sizeBytes: null }
  return withOpened((opened) => transcodeVideo(work, opened, seconds))
}

async function lookAtVideo(work: VideoTask, opened: Opened): Promise<{ seconds: number, isFit: boolean }> {
  const file = opened.file(work.path, work.format)
  const video = streamOf(file, AVMEDIA_TYPE_VIDEO)
  if (!video || !VIDEO_CODECS.has(video.codecpar.codecId)) throw new Unfit('no-video')
  const { width, height, codecId, format, videoDelay } = video.codecpar
  if (width * height > MOST_VIDEO_PIXELS) throw new Unfit('dimensions')
  const sounds = file.streams.filter((stream) => stream.codecpar.codecType === AVMEDIA_TYPE_AUDIO)
  // Upstream plays H.264 of 8 bits with at most one sound track, of AAC; its phones do not all play B-frames, which are decoded late.
  const isFit = codecId === AV_CODEC_ID_H264 && videoDelay === 0 && (format === AV_PIX_FMT_YUV420P || format === AV_PIX_FMT_YUVJ420P)
    && sounds.length <= 1 && sounds.every((stream) => stream.codecpar.codecId === AV_CODEC_ID_AAC)
  return { seconds: await secondsOf(file, video, work.maxSeconds), isFit }
}

async function transcodeVideo(work: VideoTask, opened: Opened, seconds: number): Promise<MediaResult> {
  const file = opened.file(work.path, work.format)
  const sink = new Sink(opened.muxer(work.outPath, 'mp4'))
  const video = streamOf(file, AVMEDIA_TYPE_VIDEO)
  const audio = streamOf(file, AVMEDIA_TYPE_AUDIO)
  if (!video) throw new Unfit('no-video')
  const encodes: ((frame: Frame | null) => void)[] = []
  const picture = trackOf(video, opened, pictureFilter(video), encodes)
  const tracks = [picture]
  const bitrate = bitsFor(seconds, work.maxBytes - (seconds * AAC_BITS) / 8, X264_BITS)
  encodes.push(sink.add(opened.own(Encoder.createSync(FF_ENCODER_LIBX264, {
    maxRate: bitrate, bufSize: bitrate * 2, maxBFrames: 0, gopSize: 120, threadCount: 1, decoder: picture.decoder, filter: picture.filter,
    configure: (context) => set(context, { preset: 'veryfast', profile: 'main', crf: 25 }),
  }))))
  if (audio && AUDIO_CODECS.has(audio.codecpar.codecId)) {
    const track = trackOf(audio, opened, 'aresample=48000:async=1,aformat=sample_fmts=fltp:channel_layouts=mono|stereo', encodes)
    tracks.push(track)
    encodes.push(sink.add(opened.own(Encoder.createSync(FF_ENCODER_AAC, { bitrate: AAC_BITS, decoder: track.decoder, filter: track.filter }))))
  }
  await pump(file, tracks, () => sink.sizeBytes > OVERSIZE * work.maxBytes)
  for (const encode of encodes) encode(null)
  opened.close()
  if (sink.sizeBytes === 0) throw new Unfit('no-video')
  return { task: 'video', sizeBytes: statSync(work.outPath).size }
}

/** A track whose frames go to the encoder added for it right after. */
function trackOf(stream: Stream, opened: Opened, filter: string, encodes: readonly ((frame: Frame) => void)[]): Track {
  const at = encodes.length
  return new Track(stream, opened, filter, (frame) => encodes[at]?.(frame))
}

/** Upright, of square pixels, even sides (4:2:0 needs them), no larger and no faster than a phone shows. */
function pictureFilter(stream: Stream): string {
  const fit = `scale=w='min(${LONG_SIDE},iw)':h='min(${LONG_SIDE},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`
  const { num, den } = stream.avgFrameRate
  const fps = num > 0 && den > 0 && num / den <= MOST_FRAMES_PER_SECOND ? `${num}/${den}` : MOST_FRAMES_PER_SECOND
  return [...turns(stream), `fps=${fps}`, fit, 'setsar=1', 'format=yuv420p'].join(',')
}

/** Phones film on their side and say so in a matrix of 16.16 numbers (ISO 14496-12 6.2.2). */
function turns(stream: Stream): string[] {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  if (!matrix || matrix.length < 20) return []
  const degrees = Math.round((Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI)
  if (degrees === 90) return ['transpose=clock']
  if (degrees === -90) return ['transpose=cclock']
  return Math.abs(degrees) === 180 ? ['hflip', 'vflip'] : []
}
