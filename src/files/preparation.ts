import { copyFile, open, rm, stat } from 'node:fs/promises'
import type { MediaFormat, MediaResult, MediaTask } from '../../engines/media/protocol/converting.ts'
import type { FileId } from '../domain/ids.ts'
import { kindOf } from '../domain/kinds/kinds.ts'
import type { MediaKind, MessageFailure } from '../domain/message.ts'
import type { Clock } from '../ports/clock.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { MediaOrder, PreparedMedia, Preparation, Sound } from '../ports/message-media.ts'
import type { StoredFile } from '../ports/stores/file-store.ts'
import { transfer } from './download.ts'
import type { TransferLimits } from './download.ts'
import { documentType, mimeTypeOf, nameInUrl, safeName } from './file-name.ts'
import { HEAD_BYTES, TAIL_BYTES, factsOf, typeOf } from './file-type.ts'
import type { FileType } from './file-type.ts'
import type { MediaChildren } from './media-children.ts'
import { EMPTY, downloadFailure, judgeSticker, mostBytes, planOf, tooLarge, workFailure } from './media-rules.ts'
import type { Plan } from './media-rules.ts'
import type { Shelf } from './shelf.ts'

/** Our choice: a larger picture is not decoded. */
export const MOST_SIDE_PIXELS = 16_384
export const MOST_PIXELS = 50_000_000
/** The type of every sound that is sent (upstream: Media, audio; RFC 7845 9). */
const VOICE_NOTE = 'audio/ogg; codecs=opus'
/** Our choice, in seconds of play. */
export const AUDIO_SECONDS = 3_600
export const VIDEO_SECONDS = 1_800
/**
 * Our choice: how long a file is kept that was made of a kept one. It outlives the tries of a message, and an engine
 * that fetches late.
 */
const COPY_MS = 24 * 3_600_000

/** Engines and the official platform need not follow redirects, so their addresses lead nowhere else. */
const ITSELF = '?redirect=off'

export interface PreparationParts {
  readonly shelf: Shelf
  readonly fetch: GuardedFetch
  readonly children: MediaChildren
  readonly clock: Clock
  readonly transferLimits: TransferLimits
  readonly ceilings: Readonly<Record<MediaKind, number>>
  /** How long files of messages are kept, in ms. */
  readonly keepMs: number
  /** Makes the public address of a file. */
  readonly urlOf: (fileId: FileId, fileName: string) => string
}

/** The bytes to be sent, as they came. */
interface Raw {
  readonly path: string
  readonly sizeBytes: number
  readonly type: FileType
  readonly plan: Plan
}

/** The bytes that go out. `path` is null for the bytes as they came. */
interface Made {
  readonly path: string | null
  readonly sizeBytes: number
  readonly type: FileType
  readonly sound: Sound | null
  readonly isAnimated: boolean
}

type Step<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: MessageFailure; readonly isRetryable: boolean }

/** Gives a path for a file on its way, where no file is yet. */
export type Temp = () => Promise<string>

/** Gives paths for files on their way, and removes the files that were not moved away. */
export async function withTemps<T>(shelf: Pick<Shelf, 'tempPath'>, work: (temp: Temp) => Promise<T>): Promise<T> {
  const temps: string[] = []
  try {
    return await work(async () => {
      const path = await shelf.tempPath()
      temps.push(path)
      return path
    })
  } finally {
    for (const path of temps) await rm(path, { force: true }).catch(() => {})
  }
}

/** Fetches, checks and converts the media of one order, and keeps the result. Never rejects. */
export async function prepareMedia(
  parts: PreparationParts,
  order: MediaOrder,
  signal: AbortSignal,
): Promise<Preparation> {
  try {
    return await withTemps(parts.shelf, async (temp) => {
      const raw = await obtain(parts, order, temp, signal)
      if (!raw.ok) return raw
      const made = await make(parts, order, raw.value, temp, signal)
      return made.ok ? keep(parts, order, raw.value, made.value, temp) : made
    })
  } catch {
    // The cause is most likely a full disk or a lost database.
    return stop(downloadFailure('The file could not be stored.'), true)
  }
}

/** Makes the result of an order that was given up. */
export function givenUp(): Preparation {
  return stop(downloadFailure('Preparing the file was stopped. Send the message again.'), true)
}

function stop(
  failure: MessageFailure,
  isRetryable: boolean = false,
): { readonly ok: false; readonly failure: MessageFailure; readonly isRetryable: boolean } {
  return { ok: false, failure, isRetryable }
}

function obtain(parts: PreparationParts, order: MediaOrder, temp: Temp, signal: AbortSignal): Promise<Step<Raw>> {
  return 'url' in order.source
    ? download(parts, order, order.source.url, temp, signal)
    : take(parts, order, order.source.fileId)
}

async function download(
  parts: PreparationParts,
  order: MediaOrder,
  url: string,
  temp: Temp,
  signal: AbortSignal,
): Promise<Step<Raw>> {
  const { provider, kind } = order
  const path = await temp()
  const plan = (head: Uint8Array) => planOf(provider, kind, typeOf(head), parts.ceilings)
  const got = await transfer({
    fetch: parts.fetch,
    clock: parts.clock,
    url,
    path,
    signal,
    limits: parts.transferLimits,
    mostBytes: mostBytes(provider, kind, parts.ceilings),
    judge(head) {
      const planned = plan(head)
      return 'code' in planned ? { stop: true } : { maxBytes: planned.inputBytes }
    },
  })
  if (got.kind === 'failed') return stop(downloadFailure(got.reason), got.isRetryable)
  if (got.kind === 'too-large') return stop(tooLarge(provider, kind, got.sizeBytes, got.maxBytes))
  return accept(plan(got.head), path, got.kind === 'saved' ? got.sizeBytes : 0, typeOf(got.head))
}

/**
 * True when a message of the number may be made of a kept file: the number's own, or one that a template of the tenant
 * has or had.
 */
export function isSourceOf(
  { tenantId, numberId }: StoredFile,
  order: Pick<MediaOrder, 'tenantId' | 'numberId'>,
): boolean {
  return tenantId === order.tenantId && (numberId === null || numberId === order.numberId)
}

async function take(parts: PreparationParts, order: MediaOrder, fileId: FileId): Promise<Step<Raw>> {
  const found = await parts.shelf.find(fileId)
  if (!found || !isSourceOf(found.row, order)) return stop(downloadFailure('The file is not kept any more.'))
  const { head } = await endsOf(found.path)
  const type = typeOf(head)
  const raw = accept(planOf(order.provider, order.kind, type, parts.ceilings), found.path, found.row.sizeBytes, type)
  if (raw.ok && raw.value.sizeBytes > raw.value.plan.inputBytes)
    return stop(tooLarge(order.provider, order.kind, raw.value.sizeBytes, raw.value.plan.inputBytes))
  return raw
}

function accept(plan: Plan | MessageFailure, path: string, sizeBytes: number, type: FileType): Step<Raw> {
  if ('code' in plan) return stop(plan)
  return sizeBytes === 0 ? stop(EMPTY) : { ok: true, value: { path, sizeBytes, type, plan } }
}

async function make(
  parts: PreparationParts,
  order: MediaOrder,
  raw: Raw,
  temp: Temp,
  signal: AbortSignal,
): Promise<Step<Made>> {
  const { plan } = raw
  const asItCame: Made = { path: null, sizeBytes: raw.sizeBytes, type: raw.type, sound: null, isAnimated: false }
  if (plan.work === 'none') {
    const { head, tail } = await endsOf(raw.path)
    return { ok: true, value: { ...asItCame, type: documentType(typeOf(head, tail), head, givenName(order)) } }
  }
  const outPath = await temp()
  const outcome = await parts.children.work(
    order.numberId,
    taskOf(parts, order, raw, plan, { outPath, straightPath: await temp() }),
    signal,
  )
  if (!outcome.ok) {
    if (outcome.fault === 'crowded') return stop(downloadFailure('Too many files are being prepared.'), true)
    return outcome.fault === 'cancelled'
      ? stop(downloadFailure('Preparing the file was stopped. Send the message again.'), true)
      : stop(workFailure(order.kind, outcome.fault))
  }
  return judge(parts, order, asItCame, outcome.result, outPath)
}

function taskOf(
  parts: PreparationParts,
  order: MediaOrder,
  raw: Raw,
  plan: Exclude<Plan, { work: 'none' }>,
  { outPath, straightPath }: { readonly outPath: string; readonly straightPath: string },
): MediaTask {
  const { path } = raw
  const maxBytes = parts.ceilings[order.kind]
  if (plan.work === 'image' || plan.work === 'sticker') {
    const isMadeRgb = plan.work === 'image' && kindOf(order).media.isRgbOnly
    return {
      task: 'image',
      path,
      format: plan.format,
      outPath: isMadeRgb ? outPath : null,
      maxSidePixels: MOST_SIDE_PIXELS,
      maxPixels: MOST_PIXELS,
      maxBytes,
    }
  }
  // Plans of both kinds are made only for types with a demuxer.
  const format = factsOf(raw.type).format as MediaFormat
  if (plan.work === 'audio')
    return { task: 'audio', path, straightPath, format, outPath, maxSeconds: AUDIO_SECONDS, maxBytes }
  return { task: 'video', path, format, outPath, convert: plan.convert, maxSeconds: VIDEO_SECONDS, maxBytes }
}

/** Checks what the child found and made against the rules. */
function judge(
  parts: PreparationParts,
  order: MediaOrder,
  asItCame: Made,
  result: MediaResult,
  outPath: string,
): Step<Made> {
  if (result.task === 'image') {
    const isAnimated = result.frames > 1
    const fault =
      order.kind === 'sticker'
        ? judgeSticker(asItCame.sizeBytes, result.widthPixels, result.heightPixels, isAnimated)
        : null
    if (fault) return stop(fault)
    const { made } = result
    if (made === null) return { ok: true, value: { ...asItCame, isAnimated } }
    const most = parts.ceilings[order.kind]
    return made.sizeBytes > most
      ? stop(tooLarge(order.provider, order.kind, made.sizeBytes, most))
      : { ok: true, value: { ...asItCame, ...made, path: outPath } }
  }
  const sound = result.task === 'audio' ? result.sound : null
  if (result.sizeBytes === null) return { ok: true, value: { ...asItCame, sound } }
  const ceiling = parts.ceilings[order.kind]
  if (result.sizeBytes > ceiling) return stop(tooLarge(order.provider, order.kind, result.sizeBytes, ceiling))
  return {
    ok: true,
    value: {
      path: outPath,
      sizeBytes: result.sizeBytes,
      type: result.task === 'audio' ? 'audio/ogg' : 'video/mp4',
      sound,
      isAnimated: false,
    },
  }
}

/** Gives the name that a file came with; null when there is none. */
function givenName({ fileName, source, kind }: MediaOrder): string | null {
  return fileName ?? ('url' in source && kind === 'document' ? nameInUrl(source.url) : null)
}

async function keep(
  parts: PreparationParts,
  order: MediaOrder,
  raw: Raw,
  made: Made,
  temp: Temp,
): Promise<Preparation> {
  const given = givenName(order)
  // Sound is sent as a voice note: phones play it, and upstream takes it, under this type alone.
  const mimeType = made.sound === null ? mimeTypeOf(made.type, given) : VOICE_NOTE
  const fileName = safeName(given, made.type)
  const tempPath = await pathOf(order, raw, made, temp)
  const { tenantId, numberId } = order
  const row = await parts.shelf.keep({
    tempPath,
    tenantId,
    numberId,
    mimeType,
    sizeBytes: made.sizeBytes,
    fileName,
    keepMs: 'url' in order.source ? parts.keepMs : Math.min(COPY_MS, parts.keepMs),
  })
  const found = row && (await parts.shelf.find(row.id))
  if (!row || !found) return stop(downloadFailure('The number was removed.'))
  const media: PreparedMedia = {
    fileId: row.id,
    path: found.path,
    mimeType,
    sizeBytes: made.sizeBytes,
    fileName,
    url: `${parts.urlOf(row.id, fileName)}${ITSELF}`,
    waveform: order.kind === 'voice' && made.sound ? made.sound.waveform : null,
    sound: made.sound,
    isAnimated: made.isAnimated,
  }
  return { ok: true, media }
}

/** Gives a file that the shelf may move to its place. */
async function pathOf({ source }: MediaOrder, raw: Raw, made: Made, temp: Temp): Promise<string> {
  if (!('fileId' in source) || made.path !== null) return made.path ?? raw.path
  // The source stays until its message is settled, so what was prepared is a copy.
  const tempPath = await temp()
  await copyFile(raw.path, tempPath)
  return tempPath
}

/** Reads beginning and end of a file, as `typeOf` wants them. */
export async function endsOf(path: string): Promise<{ readonly head: Uint8Array; readonly tail: Uint8Array }> {
  const file = await open(path, 'r')
  try {
    const { size } = await stat(path)
    const part = async (at: number, length: number) => {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at)
      return buffer.subarray(0, bytesRead)
    }
    return { head: await part(0, HEAD_BYTES), tail: await part(Math.max(0, size - TAIL_BYTES), TAIL_BYTES) }
  } finally {
    await file.close()
  }
}
