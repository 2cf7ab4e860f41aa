import { copyFile, open, writeFile } from 'node:fs/promises'
import type { FileId, TenantId } from '../domain/ids.ts'
import { isDataUri } from '../domain/media-text.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { Log } from '../ports/log.ts'
import type { KeptSample, SampleOwner, Sampling, TemplateFiles } from '../ports/template-files.ts'
import type { Arrivals } from './arrivals.ts'
import { parseDataUri } from './data-uri.ts'
import { transfer } from './download.ts'
import { nameInUrl, safeName } from './file-name.ts'
import { HEAD_BYTES, typeOf } from './file-type.ts'
import { withTemps, type PreparationParts, type Temp } from './preparation.ts'
import { convert, type Raw, type Step } from './sample-fit.ts'
import { errorCodeOf, orAway } from './storing.ts'
import {
  dataUriProblem,
  isSampleType,
  SAMPLES,
  tooLarge,
  transferProblem,
  unreachable,
  unsupported,
  type SampleKind,
} from './template-samples.ts'

/** Our choice, the same as for prepared files: a template takes a sample over at once, or the request for it failed. */
const KEPT_MS = 24 * 3_600_000

export interface TemplateFilesParts extends PreparationParts {
  readonly arrivals: Arrivals
  /** Fetches what the official platform names. */
  readonly upstreamFetch: GuardedFetch
  /** Public address of the gateway, without a slash at its end. */
  readonly baseUrl: string
  readonly log: Log
}

/** Makes the files of templates, beside those of messages: on the same shelf, with the same children. */
export function createTemplateFiles(parts: TemplateFilesParts): TemplateFiles {
  const { shelf, log } = parts
  const logged = <T>(message: string, instead: T) =>
    orAway((error: unknown): T => {
      log.error({ error: errorCodeOf(error) }, message)
      return instead
    })
  return {
    keep: (owner, kind, source, from) =>
      withTemps(shelf, (temp) => keepSample(parts, owner, kind, source, from, temp)).catch(
        logged('sample of a template not stored', {
          ok: false,
          problem: unreachable('The file could not be stored. Try again.'),
        }),
      ),
    copy: (owner, kind, fileId) =>
      withTemps(shelf, (temp) => copySample(parts, owner, kind, fileId, temp)).catch(
        logged('sample of a template not copied', {
          ok: false,
          problem: unreachable('The file could not be stored. Try again.'),
        }),
      ),
    fileOf: (url) => fileOf(parts.baseUrl, url),
    open: (tenantId, fileId) =>
      openSample(parts, tenantId, fileId).catch(logged('sample of a template not looked up', null)),
    release: (fileIds) => shelf.remove(fileIds).catch(logged('samples of templates not released', undefined)),
  }
}

async function keepSample(
  parts: TemplateFilesParts,
  owner: SampleOwner,
  kind: SampleKind,
  source: string,
  from: 'CALLER' | 'UPSTREAM',
  temp: Temp,
): Promise<Sampling> {
  const isBytes = isDataUri(source)
  const raw = isBytes ? await unpack(parts, kind, source, temp) : await download(parts, kind, source, from, temp)
  return raw.ok ? shelveFit(parts, owner, kind, raw.value, isBytes ? null : nameInUrl(source), temp) : raw
}

/** Keeps a sample, converted when upstream or a phone would not take it. */
async function shelveFit(
  parts: TemplateFilesParts,
  owner: SampleOwner,
  kind: SampleKind,
  raw: Raw,
  givenName: string | null,
  temp: Temp,
): Promise<Sampling> {
  const fit: Step<Raw> =
    kind === 'DOCUMENT' ? { ok: true, value: raw } : await convert(parts, owner.numberId, kind, raw, await temp())
  if (!fit.ok) return fit
  const sample = await shelve(parts, owner, fit.value, givenName)
  return sample ? { ok: true, sample } : { ok: false, problem: unreachable('The number was removed.') }
}

async function download(
  parts: TemplateFilesParts,
  kind: SampleKind,
  url: string,
  from: 'CALLER' | 'UPSTREAM',
  temp: Temp,
): Promise<Step<Raw>> {
  const [path, { maxBytes }] = [await temp(), SAMPLES[kind]]
  const got = await transfer({
    fetch: from === 'UPSTREAM' ? parts.upstreamFetch : parts.fetch,
    clock: parts.clock,
    url,
    path,
    limits: parts.transferLimits,
    signal: new AbortController().signal,
    mostBytes: maxBytes,
    judge: (head) => (isSampleType(kind, typeOf(head)) ? { maxBytes } : { stop: true }),
  })
  if (got.kind !== 'saved') return { ok: false, problem: transferProblem(kind, got, typeOf) }
  return { ok: true, value: { path, sizeBytes: got.sizeBytes, type: typeOf(got.head) } }
}

/** Takes the bytes of a data URI, or of one that arrived in pieces. */
async function unpack(
  { arrivals }: TemplateFilesParts,
  kind: SampleKind,
  source: string,
  temp: Temp,
): Promise<Step<Raw>> {
  const { maxBytes } = SAMPLES[kind]
  const arrived = arrivals.find(source)?.result()
  if (arrived && !arrived.ok) return { ok: false, problem: dataUriProblem(kind, arrived.reason, 0) }
  if (arrived) return judged(kind, arrived.file.path, arrived.file.sizeBytes, arrived.file.head)
  const parsed = parseDataUri(source, maxBytes)
  if (!parsed.ok) return { ok: false, problem: dataUriProblem(kind, parsed.reason, parsed.sizeBytes) }
  const path = await temp()
  await writeFile(path, parsed.bytes, { flag: 'wx', mode: 0o600 })
  return judged(kind, path, parsed.bytes.byteLength, parsed.bytes)
}

function judged(kind: SampleKind, path: string, sizeBytes: number, head: Uint8Array): Step<Raw> {
  const [type, { maxBytes }] = [typeOf(head.subarray(0, HEAD_BYTES)), SAMPLES[kind]]
  if (!isSampleType(kind, type)) return { ok: false, problem: unsupported(kind, type) }
  return sizeBytes > maxBytes
    ? { ok: false, problem: tooLarge(sizeBytes, maxBytes) }
    : { ok: true, value: { path, sizeBytes, type } }
}

/** Keeps a sample; null when the number is gone. */
async function shelve(
  parts: TemplateFilesParts,
  { tenantId, numberId, keepMs = KEPT_MS }: SampleOwner,
  { path, sizeBytes, type }: Raw,
  givenName: string | null,
): Promise<KeptSample | null> {
  const fileName = safeName(givenName, type)
  const row = await parts.shelf.keep({
    tempPath: path,
    tenantId,
    numberId,
    mimeType: type,
    sizeBytes,
    fileName,
    keepMs,
  })
  return row && openSample(parts, tenantId, row.id)
}

async function openSample(parts: TemplateFilesParts, tenantId: TenantId, fileId: FileId): Promise<KeptSample | null> {
  const found = await parts.shelf.find(fileId)
  return found?.row.tenantId === tenantId ? toSample(parts, found) : null
}

function toSample(
  { urlOf }: TemplateFilesParts,
  { row, path }: NonNullable<Awaited<ReturnType<TemplateFilesParts['shelf']['find']>>>,
): KeptSample {
  // Every sample was shelved under a name.
  const fileName = row.fileName ?? row.id
  return {
    fileId: row.id,
    path,
    mimeType: row.mimeType,
    sizeBytes: row.sizeBytes,
    fileName,
    url: urlOf(row.id, fileName),
  }
}

/** Copies a kept file. It may be any file of the tenant, so it is checked as a fetched one is. */
async function copySample(
  parts: TemplateFilesParts,
  owner: SampleOwner,
  kind: SampleKind,
  fileId: FileId,
  temp: Temp,
): Promise<Sampling> {
  const found = await openSample(parts, owner.tenantId, fileId)
  if (!found) return { ok: false, problem: unreachable('The file at this address of ours is gone. Give it again.') }
  const path = await temp()
  await copyFile(found.path, path)
  const raw = judged(kind, path, found.sizeBytes, await headOf(path))
  return raw.ok ? shelveFit(parts, owner, kind, raw.value, found.fileName, temp) : raw
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const OWN_PATH = /^(file_[0-9a-z]{26})\/[^/]+$/

/** Finds the file behind an address of the service, however its host is written. */
function fileOf(baseUrl: string, url: string): FileId | null {
  if (!URL.canParse(url)) return null
  const [given, ours] = [new URL(url), new URL(`${baseUrl}/media/`)]
  if (given.origin !== ours.origin || !given.pathname.startsWith(ours.pathname)) return null
  return (OWN_PATH.exec(given.pathname.slice(ours.pathname.length))?.[1] ?? null) as FileId | null
}
