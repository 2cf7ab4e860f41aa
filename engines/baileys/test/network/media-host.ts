/** The host for uploads and downloads of encrypted media, on https only, as the library requires. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { sha256 } from 'baileys'
import { type MediaStore, openMediaStore } from './media-store.ts'
import { readBody } from './request-body.ts'
import { makeTlsCertificate } from './tls-certificate.ts'

export type MediaHost = {
  /** `127.0.0.1:port`, as `media_conn` names it. */
  host: string
  /** The certificate as a file, for NODE_EXTRA_CA_CERTS of another process. */
  caFile: string
  store: MediaStore
  /** Refuses uploads with 500 while true. */
  faults: { refuseUploads: boolean }
  /** Makes this process trust the host. */
  trust(): void
  close(): Promise<void>
}

/** The most bytes of one upload; `media_conn` says the same. */
export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Takes an upload whose path ends with the digest of what is sent, as the network checks it. */
async function upload(store: MediaStore, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await readBody(
    request,
    MAX_UPLOAD_BYTES,
    () => new Error('the upload is larger than media_conn allows'),
  )
  const digest = decodeURIComponent(url.pathname.split('/').at(-1) ?? '').replace(/=+$/, '')
  if (sha256(bytes).toString('base64url') !== digest)
    return json(response, 400, { error: { message: 'digest differs' } })
  const { url: address, directPath } = store.put(bytes)
  json(response, 200, { url: address, direct_path: directPath })
}

function download(store: MediaStore, url: URL, response: ServerResponse): void {
  const bytes = store.get(url.pathname)
  if (!bytes) return void response.writeHead(store.wasThere(url.pathname) ? 410 : 404).end()
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length }).end(bytes)
}

// Setting replaces all earlier certificates, so every host of this process is listed again with each new one.
const ownCertificates: string[] = []

function trustToo(certificate: string): void {
  ownCertificates.push(certificate)
  setDefaultCACertificates([...getCACertificates('bundled'), ...ownCertificates])
}

/** Starts the media host on a free loopback port. */
export async function openMediaHost(): Promise<MediaHost> {
  const { certificate, key } = makeTlsCertificate()
  let origin = ''
  const store = openMediaStore(() => origin)
  const faults = { refuseUploads: false }
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const url = new URL(request.url ?? '/', origin)
    if (request.method === 'GET') return download(store, url, response)
    if (faults.refuseUploads) return json(response, 500, { error: { message: 'refused by the test' } })
    upload(store, url, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  origin = `https://${host}`
  const folder = mkdtempSync(join(tmpdir(), 'offline-network-'))
  const caFile = join(folder, 'media-host.pem')
  writeFileSync(caFile, certificate)
  return {
    host,
    caFile,
    store,
    faults,
    trust: () => trustToo(certificate),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
