/**
 * A program that turns untrusted files into Opus packets, apart from the audio loop of the program that plays them. It
 * gets paths of local files only, opens them with a named demuxer and no protocol but `file`, and holds no secret (its
 * environment is empty).
 */
import {
  AV_CODEC_ID_ADPCM_IMA_WAV,
  AV_CODEC_ID_ADPCM_MS,
  AV_CODEC_ID_FLAC,
  AV_CODEC_ID_MP1,
  AV_CODEC_ID_MP2,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_PCM_ALAW,
  AV_CODEC_ID_PCM_F32LE,
  AV_CODEC_ID_PCM_F64LE,
  AV_CODEC_ID_PCM_MULAW,
  AV_CODEC_ID_PCM_S16BE,
  AV_CODEC_ID_PCM_S16LE,
  AV_CODEC_ID_PCM_S24LE,
  AV_CODEC_ID_PCM_S32LE,
  AV_CODEC_ID_PCM_U8,
  AV_CODEC_ID_VORBIS,
  Decoder,
  Demuxer,
  Encoder,
  FF_ENCODER_LIBOPUS,
  FilterAPI,
} from 'node-av'
import type { Packet } from 'node-av'
import { liveAsChild } from './child.ts'
import { filesOf, linksOf } from './ogg-chain.ts'
import { takeApart } from './ogg.ts'
import { lengthOf } from './stream-length.ts'
import type { DecodeOrder, DecodeReport } from './protocol/decoding.ts'
import { straightenWave } from './wave-file.ts'

/** Opus always runs at 48 kHz here, the RTP clock of Opus for any source (RFC 7587 section 4.1). */
const TO_MONO_48K = 'aresample=48000,aformat=sample_fmts=s16:channel_layouts=mono'
/** The encoder gives nothing for less than one packet of samples, so a shorter file goes on in silence (seen). */
const TO_A_PACKET = 'apad=whole_len=960'
/** Our choice, in bits per second: speech and music on hold both sound right at 32 kb/s mono with a variable rate. */
const BITRATE = 32_000
const PACKET_SECONDS = 0.02
const OPUS_OPTIONS = { application: 'audio', vbr: 'on', frame_duration: '20' } as const
/**
 * The first batch is small, in packets, so that playing starts early; later ones are larger, because they cost less.
 */
const FIRST_BATCH = 10
const LATER_BATCH = 100
/** Our choice: one second beyond the limit is accepted, because encoders pad a file of exactly that length. */
const GRACE_PACKETS = 50

const ALLOWED_CODECS: ReadonlySet<number> = new Set([
  AV_CODEC_ID_MP1,
  AV_CODEC_ID_MP2,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_VORBIS,
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_FLAC,
  AV_CODEC_ID_PCM_U8,
  AV_CODEC_ID_PCM_S16LE,
  AV_CODEC_ID_PCM_S16BE,
  AV_CODEC_ID_PCM_S24LE,
  AV_CODEC_ID_PCM_S32LE,
  AV_CODEC_ID_PCM_F32LE,
  AV_CODEC_ID_PCM_F64LE,
  AV_CODEC_ID_PCM_ALAW,
  AV_CODEC_ID_PCM_MULAW,
  AV_CODEC_ID_ADPCM_MS,
  AV_CODEC_ID_ADPCM_IMA_WAV,
])

type DecodeJob = Extract<DecodeOrder, { type: 'decode' }>

const cancelled = new Set<number>()

liveAsChild()
process.on('message', (order: DecodeOrder) => {
  if (order.type === 'cancel') cancelled.add(order.jobId)
  else void run(order)
})
await report({ type: 'ready' })

async function run(job: DecodeJob): Promise<void> {
  let outcome: DecodeReport
  try {
    outcome = await decode(job)
  } catch {
    outcome = { type: 'failed', jobId: job.jobId, reason: 'no-audio' }
  }
  cancelled.delete(job.jobId)
  await report(outcome)
}

async function decode(order: DecodeJob): Promise<DecodeReport> {
  const { jobId } = order
  const apart = order.format === 'ogg' ? await takeApart(order.path, order.maxPackets + GRACE_PACKETS) : 'other'
  if (apart === 'too-long') return { type: 'failed', jobId, reason: 'too-long' }
  if (apart !== 'other') return await send(order, apart)
  const straight = order.format === 'wav' ? await straightenWave(order.path, order.straightPath) : order
  if ('fault' in straight) return { type: 'failed', jobId, reason: straight.fault }
  const links = order.format === 'ogg' ? await linksOf(order.path) : []
  const files = (): Iterable<string> => filesOf(straight.path, links, order.straightPath)
  return (await isTooLong(order, files()))
    ? { type: 'failed', jobId, reason: 'too-long' }
    : await send(order, transcoded(order, files()))
}

/** Null when the file cannot be opened. */
function openFile(path: string, format: DecodeJob['format']): Demuxer | null {
  try {
    return Demuxer.openSync(path, { format, options: { protocol_whitelist: 'file' } })
  } catch {
    return null
  }
}

/** Whether the packets add up to more than the limit. A gap in the timestamps is not heard, so it does not count. */
async function isTooLong(job: DecodeJob, paths: Iterable<string>): Promise<boolean> {
  const mostSeconds = (job.maxPackets + GRACE_PACKETS) * PACKET_SECONDS
  let seconds = 0
  for (const path of paths) {
    const file = openFile(path, job.format)
    try {
      const stream = file?.audio()
      if (file && stream) seconds += (await lengthOf(file, stream.index, ({ sum }) => seconds + sum > mostSeconds)).sum
    } finally {
      file?.closeSync()
    }
    if (seconds > mostSeconds) return true
  }
  return false
}

/** The packets of several files, one file after the other. */
function* transcoded({ format }: DecodeJob, paths: Iterable<string>): Iterable<Uint8Array> {
  for (const path of paths) {
    const file = openFile(path, format)
    if (file) yield* transcode(file)
  }
}

/** The packets of a file, none when it holds no audio of an allowed codec. Closes the file. */
function* transcode(file: Demuxer): Iterable<Uint8Array> {
  const opened: { close(): void }[] = []
  const own = <T extends { close(): void }>(part: T): T => {
    opened.unshift(part)
    return part
  }
  try {
    const stream = file.audio()
    if (!stream || !ALLOWED_CODECS.has(stream.codecpar.codecId)) return
    // A damaged packet is skipped, so that a truncated file plays as far as it goes.
    const decoder = own(Decoder.createSync(stream, { exitOnError: false, threadCount: 1 }))
    const filter = own(FilterAPI.create(`${TO_MONO_48K},${TO_A_PACKET}`, { threads: 1 }))
    const encoder = own(
      Encoder.createSync(FF_ENCODER_LIBOPUS, {
        bitrate: BITRATE,
        decoder,
        filter,
        configure: (context) => {
          // The options are set here because node-av frees its own `options` twice, which ends the process at a later
          // garbage collection (seen).
          for (const [name, value] of Object.entries(OPUS_OPTIONS)) context.setOption(name, value)
        },
      }),
    )
    yield* bytesOf(encoder.packetsSync(filter.framesSync(decoder.framesSync(file.packetsSync(stream.index)))))
  } finally {
    for (const part of opened) part.close()
    file.closeSync()
  }
}

function* bytesOf(packets: Iterable<Packet | null>): Iterable<Uint8Array> {
  for (const packet of packets) {
    const bytes = packet?.data ? Uint8Array.from(packet.data) : null
    packet?.free()
    if (bytes) yield bytes
  }
}

/** Sends packets in batches as they are made. */
async function send(job: DecodeJob, packets: Iterable<Uint8Array>): Promise<DecodeReport> {
  const { jobId } = job
  let batch: Uint8Array[] = []
  let count = 0
  const flush = async () => {
    if (batch.length > 0)
      await report({
        type: 'packets',
        jobId,
        bytes: Buffer.concat(batch),
        sizes: batch.map((packet) => packet.byteLength),
      })
    batch = []
  }
  for (const packet of packets) {
    batch.push(packet)
    count++
    // The earlier check adds durations that the file states; this one counts the packets that came out.
    if (count > job.maxPackets + GRACE_PACKETS) return { type: 'failed', jobId, reason: 'too-long' }
    if (batch.length >= (count <= FIRST_BATCH ? FIRST_BATCH : LATER_BATCH)) await flush()
    if (cancelled.has(jobId)) return { type: 'failed', jobId, reason: 'cancelled' }
  }
  await flush()
  return count === 0 ? { type: 'failed', jobId, reason: 'no-audio' } : { type: 'done', jobId }
}

/**
 * Resolves when the channel has taken the message, so that a slow parent slows this process instead of filling its
 * memory. It then lets the event loop turn once, because a cancel would otherwise be read only at the end of the file.
 */
function report(message: DecodeReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve()
    process.send(message, () => setImmediate(resolve))
  })
}
