import { statSync } from 'node:fs'
import {
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_H264,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AV_PKT_DATA_DISPLAYMATRIX,
  Encoder,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
} from 'node-av'
import type { Frame, Stream } from 'node-av'
import { bitsFor, X264_BITS } from './bit-rates.ts'
import { AUDIO_CODECS, VIDEO_CODECS } from './codecs.ts'
import { type Opened, withOpened } from './opened.ts'
import type { MediaResult, MediaTask } from './protocol/converting.ts'
import { secondsOf, streamOf } from './streams.ts'
import { MOST_VIDEO_PIXELS, pump, setOptions, Sink, Track } from './tracks.ts'
import { Unfit } from './unfit.ts'

type VideoTask = Extract<MediaTask, { task: 'video' }>

const AAC_BITS = 96_000
const SOUND_FILTER = 'aresample=48000:async=1,aformat=sample_fmts=fltp:channel_layouts=mono|stereo'
/** Our choice, in pixels: the long side of a converted video. */
const LONG_SIDE = 1_280
const MOST_FRAMES_PER_SECOND = 30

/** Inspects a video, and converts it when the task asks for that. Throws Unfit. */
export async function makeVideo(work: VideoTask): Promise<MediaResult> {
  const { seconds, isFit } = await withOpened((opened) => lookAtVideo(work, opened))
  if (work.convert === 'never' || (work.convert === 'unless-fit' && isFit)) return { task: 'video', sizeBytes: null }
  return withOpened((opened) => transcodeVideo(work, opened, seconds))
}

async function lookAtVideo(work: VideoTask, opened: Opened): Promise<{ seconds: number; isFit: boolean }> {
  const file = opened.file(work.path, work.format)
  const video = streamOf(file, AVMEDIA_TYPE_VIDEO)
  if (!video || !VIDEO_CODECS.has(video.codecpar.codecId)) throw new Unfit('no-video')
  const { width, height, codecId, format, videoDelay } = video.codecpar
  if (width * height > MOST_VIDEO_PIXELS) throw new Unfit('dimensions')
  const sounds = file.streams.filter((stream) => stream.codecpar.codecType === AVMEDIA_TYPE_AUDIO)
  // The upstream plays 8-bit H.264 with at most one audio track, of AAC. Some of its phones do not play B-frames.
  const isFit =
    codecId === AV_CODEC_ID_H264
    && videoDelay === 0
    && (format === AV_PIX_FMT_YUV420P || format === AV_PIX_FMT_YUVJ420P)
    && sounds.length <= 1
    && sounds.every((stream) => stream.codecpar.codecId === AV_CODEC_ID_AAC)
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
  encodes.push(sink.add(opened.own(pictureEncoder(picture, bitrate))))
  if (audio && AUDIO_CODECS.has(audio.codecpar.codecId)) {
    const track = trackOf(audio, opened, SOUND_FILTER, encodes)
    tracks.push(track)
    encodes.push(sink.add(opened.own(soundEncoder(track))))
  }
  await pump(file, tracks, () => sink.isOver(work.maxBytes))
  for (const encode of encodes) encode(null)
  opened.close()
  if (sink.sizeBytes === 0) throw new Unfit('no-video')
  return { task: 'video', sizeBytes: statSync(work.outPath).size }
}

function pictureEncoder({ decoder, filter }: Track, bitrate: number): Encoder {
  return Encoder.createSync(FF_ENCODER_LIBX264, {
    maxRate: bitrate,
    bufSize: bitrate * 2,
    maxBFrames: 0,
    gopSize: 120,
    threadCount: 1,
    decoder,
    filter,
    configure: (context) => setOptions(context, { preset: 'veryfast', profile: 'main', crf: 25 }),
  })
}

function soundEncoder({ decoder, filter }: Track): Encoder {
  return Encoder.createSync(FF_ENCODER_AAC, { bitrate: AAC_BITS, decoder, filter })
}

/** Makes a track whose frames go to the encoder that is added right after it. */
function trackOf(stream: Stream, opened: Opened, filter: string, encodes: readonly ((frame: Frame) => void)[]): Track {
  const at = encodes.length
  return new Track(stream, opened, filter, (frame) => encodes[at]?.(frame))
}

/**
 * The filter that makes a picture upright, with square pixels and even sides (4:2:0 needs them), no larger and no
 * faster than phones show.
 */
function pictureFilter(stream: Stream): string {
  const fit = `scale=w='min(${LONG_SIDE},iw)':h='min(${LONG_SIDE},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`
  const { num, den } = stream.avgFrameRate
  const fps = num > 0 && den > 0 && num / den <= MOST_FRAMES_PER_SECOND ? `${num}/${den}` : MOST_FRAMES_PER_SECOND
  return [...turns(stream), `fps=${fps}`, fit, 'setsar=1', 'format=yuv420p'].join(',')
}

/**
 * The filters that undo a phone's rotation, which the file states as a matrix of 16.16 numbers (ISO 14496-12 section
 * 6.2.2).
 */
function turns(stream: Stream): string[] {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  if (!matrix || matrix.length < 20) return []
  const degrees = Math.round((Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI)
  if (degrees === 90) return ['transpose=clock']
  if (degrees === -90) return ['transpose=cclock']
  return Math.abs(degrees) === 180 ? ['hflip', 'vflip'] : []
}
