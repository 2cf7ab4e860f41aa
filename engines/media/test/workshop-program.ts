/**
 * A program that makes videos and reads files back, one question after another: the encoders cannot run in the worker
 * threads of tests.
 */
import {
  AVMEDIA_TYPE_VIDEO,
  AV_CHANNEL_ORDER_NATIVE,
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_OPUS,
  AV_LOG_QUIET,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLT,
  Demuxer,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBOPUS,
  FF_ENCODER_LIBVPX_VP8,
  FF_ENCODER_LIBX264,
  Frame,
  Log,
  Muxer,
  Rational,
} from 'node-av'

Log.setLevel(AV_LOG_QUIET)

export interface Film {
  readonly container: 'mp4' | 'mov' | 'webm' | 'matroska' | 'avi' | '3gp'
  readonly video?: 'h264' | 'vp8' | null
  readonly audio?: 'aac' | 'opus' | null
  readonly seconds?: number
  readonly width?: number
  readonly height?: number
  readonly bitrate?: number
  /** Every pixel is random, so that no encoder makes the video small. */
  readonly isNoise?: boolean
  readonly channels?: number
  /** H.264 of profile High with B-frames, as many programs write it. */
  readonly isHigh?: boolean
}

/** `path` is where to write the video, or the file whose streams are asked for. */
export type Question = { readonly path: string } & ({ readonly make: Film } | { readonly make?: never })

/** One answer for each question, in order. `streams` describes a file that was read; null for one that was made. */
export type Answer = { readonly ok: true; readonly streams: unknown } | { readonly ok: false; readonly error: string }

const FRAMES_PER_SECOND = 25
const RATE_HZ = 48_000
const SAMPLES = RATE_HZ / FRAMES_PER_SECOND
const VIDEO = { h264: FF_ENCODER_LIBX264, vp8: FF_ENCODER_LIBVPX_VP8 }
const AUDIO = { aac: FF_ENCODER_AAC, opus: FF_ENCODER_LIBOPUS }

function makeFilm(
  path: string,
  {
    container,
    video = 'h264',
    audio = 'aac',
    seconds = 1,
    width = 160,
    height = 120,
    bitrate = 300_000,
    isNoise = false,
    channels = 1,
    isHigh = false,
  }: Film,
): void {
  const muxer = Muxer.openSync(path, { format: container, useSyncQueue: false })
  const fast = {
    h264: isHigh ? { preset: 'medium', profile: 'high', bf: '2' } : { preset: 'ultrafast' },
    vp8: { deadline: 'realtime', 'cpu-used': '8' },
  }
  const picture =
    video
    && Encoder.createSync(VIDEO[video], {
      bitrate,
      threadCount: 1,
      configure: (context) => void Object.entries(fast[video]).map(([name, value]) => context.setOption(name, value)),
    })
  const sound = audio && Encoder.createSync(AUDIO[audio], { bitrate: 64_000, autoResample: true })
  const [pictureAt, soundAt] = [picture ? muxer.addStream(picture) : 0, sound ? muxer.addStream(sound) : 0]
  const write = (encoder: Encoder, at: number, frame: Frame | null) => {
    for (const packet of encoder.encodeAllSync(frame)) {
      muxer.writePacketSync(packet, at)
      packet.free()
    }
    frame?.free()
  }
  for (let at = 0; at < seconds * FRAMES_PER_SECOND; at++) {
    if (picture) write(picture, pictureAt, pictureFrame(at, width, height, isNoise))
    if (sound) write(sound, soundAt, soundFrame(at, channels))
  }
  if (picture) write(picture, pictureAt, null)
  if (sound) write(sound, soundAt, null)
  muxer.closeSync()
  picture?.close()
  sound?.close()
}

/** One random buffer, read at a new offset for every frame: as hard to encode as new noise, and cheap to make. */
let noise: Buffer | null = null

function pictureFrame(at: number, width: number, height: number, isNoise: boolean): Frame {
  const size = (width * height * 3) / 2
  let pixels = Buffer.alloc(size, 40 + (at % 100))
  if (isNoise) {
    noise ??= Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)))
    pixels = Buffer.concat(
      Array.from({ length: Math.ceil(size / 60_000) }, (_, part) =>
        (noise ?? pixels).subarray((at * 131 + part * 977) % 5_536).subarray(0, 60_000),
      ),
    ).subarray(0, size)
  }
  return Frame.fromVideoBuffer(pixels, {
    width,
    height,
    format: AV_PIX_FMT_YUV420P,
    pts: BigInt(at),
    timeBase: new Rational(1, FRAMES_PER_SECOND),
  })
}

function soundFrame(at: number, channels: number): Frame {
  const samples = Buffer.alloc(SAMPLES * 4 * channels)
  for (let sample = 0; sample < SAMPLES; sample++) {
    const value = 0.4 * Math.sin(((at * SAMPLES + sample) * 2 * Math.PI * 440) / RATE_HZ)
    for (let channel = 0; channel < channels; channel++) samples.writeFloatLE(value, (sample * channels + channel) * 4)
  }
  return Frame.fromAudioBuffer(samples, {
    nbSamples: SAMPLES,
    format: AV_SAMPLE_FMT_FLT,
    sampleRate: RATE_HZ,
    channelLayout: { nbChannels: channels, order: AV_CHANNEL_ORDER_NATIVE, mask: channels === 1 ? 4n : 3n },
    pts: BigInt(at * SAMPLES),
    timeBase: new Rational(1, RATE_HZ),
  })
}

const NAMES = new Map<number, string>([
  [AV_CODEC_ID_AAC, 'aac'],
  [AV_CODEC_ID_H264, 'h264'],
  [AV_CODEC_ID_OPUS, 'opus'],
])

function readStreams(path: string): unknown {
  const file = Demuxer.openSync(path)
  const streams = file.streams.map(({ codecpar }) => {
    const codec = NAMES.get(codecpar.codecId) ?? codecpar.codecId
    return codecpar.codecType === AVMEDIA_TYPE_VIDEO
      ? { codec, width: codecpar.width, height: codecpar.height, delay: codecpar.videoDelay }
      : { codec, channels: codecpar.channels }
  })
  file.closeSync()
  return streams
}

function answer({ path, make }: Question): Answer {
  try {
    return { ok: true, streams: make ? (makeFilm(path, make), null) : readStreams(path) }
  } catch (error) {
    return { ok: false, error: String(error) }
  }
}

process.on('message', (question: Question) => void process.send?.(answer(question)))
// The asking process is gone, so this one ends at once; native objects need no cleanup.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
