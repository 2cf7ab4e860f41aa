import type { Agent } from 'node:http'
import { pipeline } from 'node:stream'
import type { Readable } from 'node:stream'
import { DEFAULT_ORIGIN, getMediaKeys } from 'baileys'
import { checked } from './checked.ts'
import { decryption } from './decryption.ts'
import { MAX_FILE_BYTES } from './limits.ts'
import { get } from './request.ts'
import type { ServedReference } from './sealed-token.ts'

export interface MediaNetwork {
  /** The host of files whose message names none. */
  readonly defaultHost: string
  /**
   * Whether a host belongs to the network, because a message names its host, and its writer may name any. `host` has
   * the port when it is not 443.
   */
  readonly isMediaHost: (host: string) => boolean
  readonly agent?: Agent | undefined
}

/** The address of the file; null when it is not in the network. */
export function addressOf(
  { directPath, url }: Pick<ServedReference, 'directPath' | 'url'>,
  { defaultHost, isMediaHost }: MediaNetwork,
): URL | null {
  const told = url !== null && URL.canParse(url) ? new URL(url) : null
  const isOurs = told?.protocol === 'https:' && isMediaHost(told.host)
  if (!directPath?.startsWith('/')) return isOurs ? told : null
  const host = isOurs ? told.host : defaultHost
  const address = URL.canParse(`https://${host}${directPath}`) ? new URL(`https://${host}${directPath}`) : null
  return address?.host === host ? address : null
}

/**
 * Opens the plain bytes of received media. The stream fails when they are not what the writer sent. Rejects when the
 * file cannot be had.
 */
export async function openReceived(
  reference: ServedReference,
  network: MediaNetwork,
  signal: AbortSignal,
): Promise<Readable> {
  const url = addressOf(reference, network)
  if (!url) throw new Error('the media lies outside of the network')
  if ((reference.size ?? 0) > MAX_FILE_BYTES) throw new Error('the file is too large')
  const keys =
    reference.mediaKey === null
      ? null
      : await getMediaKeys(Buffer.from(reference.mediaKey, 'base64'), reference.mediaClass)
  const body = await get({ url, headers: { origin: DEFAULT_ORIGIN }, agent: network.agent, signal })
  const check = checked({ sha256: reference.sha256, maxBytes: MAX_FILE_BYTES })
  // The reader of the last stream hears of every failure.
  const done = (): void => {}
  if (!keys?.macKey) return pipeline(body, check, done)
  return pipeline(body, decryption({ iv: keys.iv, cipherKey: keys.cipherKey, macKey: keys.macKey }), check, done)
}
